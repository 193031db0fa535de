local p for i=1,200 do local up=p local q=class("Line"..i,p) function q:m() return up and self.super:m() or 1 end p=q end kept=p{} return kept:m()

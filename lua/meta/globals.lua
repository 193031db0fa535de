-- SPDX-License-Identifier: MIT
---@meta _
-- luacheck: ignore

-- What a patch sees besides Lua's own libraries and the types of its program: definitions for
-- lua-language-server. Nothing of this runs. `waxwing stubs` puts it before a program's types, and
-- gives `class`, `module` and `require` an overload for each name that it knows.

-- Values of Swift ---------------------------------------------------------------------------------

---A value of a Swift type of which nothing more is known here.
---@class waxwing.Value
---@field super any     the members of its superclass
---@field case string?  of an enum: the name of its case
---@field [string] any
---@field [integer] any

---A Swift error, as `pcall` gives it.
---@class waxwing.Error
---@field message string
---@field type string
---@field value any     the error as a value of its type
---@field [string] any

---A collection itself, not a copy of it: `live(object).items`, or a dictionary whose keys are no
---plain values of Lua's.
---@class waxwing.LiveCollection
---@field [any] any
local LiveCollection = {}
function LiveCollection:append(value) end
function LiveCollection:insert(value, index) end
function LiveCollection:remove(key) end
function LiveCollection:removeAll() end
---@return boolean
function LiveCollection:contains(value) end

-- Types and modules -------------------------------------------------------------------------------

---What `class` gives for a Swift type. Assign functions to it to override methods; call it to make an
---instance.
---@class waxwing.Type
---@field get table     assign functions to it to override getters
---@field set table     the same of setters
---@field willSet table  the same of observers
---@field didSet table
---@field static any    the static members, where an instance member has the same name
local Type = {}

---Adds a function that runs before a method; what it returns replaces the first arguments.
---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Type:before(name, f, options) end

---Adds a function that runs after a method; it gets `self`, the result and the arguments, and what it
---returns replaces the result.
---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Type:after(name, f, options) end

---Adds an override, which may call the original.
---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Type:instead(name, f, options) end

---Adds a method that the type does not have.
---@param name string
---@param f function
function Type:method(name, f) end

---Gives the objects of a class a field that lives in Lua.
---@param name string
---@param default any  the initial value; a function is called with the object to make it
function Type:field(name, default) end

---Has a function called when an object of the class ends.
---@param f fun(self: any)
---@param options { after: boolean }?
function Type:deinit(f, options) end

---A type of which nothing more is known here.
---@class waxwing.OtherType: waxwing.Type
---@field [string] any
---@operator call: any

---@class waxwing.AdviceOptions
---@field once boolean?     for one call
---@field instance any      for calls on this object only
---@field thread integer?   for calls by this thread only

---@class waxwing.AdviceToken
local AdviceToken = {}
---Removes the advice at once; false if it has ended already, and why.
---@return boolean
---@return string?
function AdviceToken:remove() end

---What `module` gives. Assign functions to it to override the module's free functions.
---@class waxwing.Module
---@field get table
---@field set table
---@field willSet table
---@field didSet table
local Module = {}

---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Module:before(name, f, options) end

---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Module:after(name, f, options) end

---@param name string
---@param f function
---@param options waxwing.AdviceOptions?
---@return waxwing.AdviceToken
function Module:instead(name, f, options) end

---@class waxwing.OtherModule: waxwing.Module
---@field [string] any

---The Swift type of a name, or of a value. With more than a name it makes a class: give the superclass
---or nil, then the protocols.
---@param name any
---@param superclass any
---@param protocols string[]?
---@param options { types: table<string, any> }?
---@return waxwing.OtherType
function class(name, superclass, protocols, options) end

---The Swift module of a name: its types, free functions and global variables.
---@param name string
---@return waxwing.OtherModule
function module(name) end

---Makes a class conform to a protocol while the patch is live.
---@param type any
---@param protocol string
---@param members table<string, any>
---@param options { types: table<string, any> }?
function conform(type, protocol, members, options) end

---In Wax's spelling: from here on, functions assigned to globals override methods of the class.
---@param names { [1]: string, [2]: any, protocols: string[]?, translate: function? }
---@return waxwing.OtherType
function waxClass(names) end

---What there is to say of a type.
---@class waxwing.TypeListing
---@field name string
---@field kind string
---@field superclass string?
---@field protocols string[]
---@field members string[]

---The type of a Swift value, or a type or module itself; of a plain Lua value, Lua's name.
---@param value any
---@param text string?  only members that contain it
---@return waxwing.TypeListing|string
function typeof(value, text) end

---Whether a value is of a type, or of a class below it.
---@param value any
---@param type any  what `class` gave, or the name
---@return boolean
function is(value, type) end

---What a type object has that is no member of the program's, such as `get` and `static`, where the
---program has a value of the same name. Assign functions to it to override methods. Of an object or a
---value it gives `super`, `case`, `rawValue` or `value`, also where the type has members of these names.
---@overload fun(value: userdata, part: string): any
---@param type waxwing.Type|waxwing.Module|string
---@return waxwing.Type
function patching(type) end

---The class version of a type or module: how many live patches change it.
---@param type any
---@return integer
function version(type) end

-- The patch ---------------------------------------------------------------------------------------

---@class waxwing.Manifest
---@field name string?
---@field version integer?
---@field program string?
---@field build string|string[]|nil
---@field serial integer?
---@field expires string?
---@field overrides string[]?
---@field capabilities ("unlimited"|"weak-tables")[]?
---@field limits { memory: string|integer|nil, instructions: number?, milliseconds: number? }?
---@field parallel boolean?
---@field partial boolean?
---@field on_error "original"|"throw"|nil

---The manifest; it comes first, and has constants only.
---@param manifest waxwing.Manifest
function patch(manifest) end

---Calls the original of the running override: with `self` first if the override gets one.
---@param ... any
---@return any ...
function original(...) end

---What the closure has captured whose override is running, by name or number. It can be read, and not set.
---@type table<string|integer, any>
captured = {}

---Has a function called at a moment of the patch's life.
---@param event "starting"|"started"|"ending"|"ended"|"message"
---@param f function
function on(event, f) end

---Runs a function when the program has loaded a module; at once if it is there.
---@param name string
---@param f fun()
function when_loaded(name, f) end

---Runs a module of the patch, or of the library, once and returns its result.
---@param name string
---@return any
function require(name) end

---Throws from an override of a throwing function: a message, an error that was caught, or a new one.
---@param error any
function throw(error) end

---Says what a function that Swift calls as a closure returns if it fails.
---@generic F: function
---@param f F
---@param value any
---@return F
function fallback(f, value) end

---How many objects and values of each Swift type the script holds.
---@return table<string, integer>
function objects() end

---@class waxwing.Log
log = {}
---@param message any
---@param fields table<string, any>?
function log.debug(message, fields) end
---@param message any
---@param fields table<string, any>?
function log.info(message, fields) end
---@param message any
---@param fields table<string, any>?
function log.warn(message, fields) end
---@param message any
---@param fields table<string, any>?
function log.error(message, fields) end

---Seconds with a fraction: of a clock that never jumps, or since 1970.
---@param name "wall"?
---@return number
function clock(name) end

---The ID of the thread that the call is on.
---@return integer
function thread() end

-- Values ------------------------------------------------------------------------------------------

---Stands for nil inside a table.
---@type userdata
null = nil

---A table's elements, a struct's stored properties in order, or an enum's payload.
---@param value any
---@param first integer?
---@param last integer?
---@return any ...
function unpack(value, first, last) end

---A value of the same struct, of a table of its stored properties.
---@generic T
---@param value T
---@param properties table
---@return T
function repack(value, properties) end

---The text of a value, of an object with all its stored properties. Those that can change are read
---without the lock that guards them, and those of an actor only while the call is on it.
---@param value any
---@return string
function reveal(value) end

---A table of what a live collection holds now; a copy of a struct or enum.
---@param value any
---@param is_lenient boolean?  nil for anything else, in place of an error
---@return any
function copy(value, is_lenient) end

---`live(object).name` is the collection in the property itself.
---@param object any
---@return table<string, waxwing.LiveCollection>
function live(object) end

---A reference that does not keep its object alive.
---@generic T
---@param object T
---@return { object: T? }
function weak(object) end

-- Waiting -----------------------------------------------------------------------------------------

---@class waxwing.TaskToken
---@field finished boolean
---@field cancelled boolean  whether it was asked to end
local TaskToken = {}
---Waits for the task, and returns its results or raises its error.
---@async
---@return any ...
function TaskToken:wait() end
---Asks the task to end.
---@return boolean
function TaskToken:cancel() end

---Runs a function later, as a task of its own on the actor of the caller.
---@param f function
---@param ... any
---@return waxwing.TaskToken
function task(f, ...) end

---The same on the main actor.
---@param f function
---@param ... any
---@return waxwing.TaskToken
function main(f, ...) end

---The same on no actor.
---@param f function
---@param ... any
---@return waxwing.TaskToken
function global(f, ...) end

---The same after so many seconds.
---@param seconds number
---@param f function
---@param ... any
---@return waxwing.TaskToken
function after(seconds, f, ...) end

---Waits.
---@async
---@param seconds number
function sleep(seconds) end

---Sends a message to the client that handles the name, and waits for its reply.
---@async
---@param name string
---@param text string
---@return string? reply
---@return string? failure
function ask(name, text) end

---Runs functions concurrently and waits for all; returns the first result of each.
---@async
---@param functions function[]
---@return any ...
function all(functions) end

---Returns the results of the first function to finish.
---@async
---@param functions function[]
---@return any ...
function race(functions) end

---Returns the results of a function; raises an error if it takes longer.
---@async
---@param seconds number
---@param f function
---@param ... any
---@return any ...
function timeout(seconds, f, ...) end

---Iterates over an `AsyncSequence`.
---@async
---@param sequence any
---@return function
---@return any
function each(sequence) end

---Waits until `resume` or `fail` is called.
---@async
---@param f fun(resume: fun(...: any), fail: fun(error: any))
---@return any ...
function continuation(f) end

---Whether the current task has been cancelled.
---@return boolean
function cancelled() end

-- SPDX-License-Identifier: MIT

local spec <const> = require "spec"
local model <const> = require "model"
local it <const>, equal <const> = spec.it, spec.equal

local Album <const>, Track <const>, Live <const> = class "Shop.Album", class "Shop.Track", class "Shop.LiveTrack"
local Artist <const> = class "Shop.Artist"

model.describe(Track, { key = "kind", classes = { live = Live, studio = Track }, keys = { isBonus = "bonus" } })
model.describe(Album, {
  keys = { title = { "name", "title" }, released = "info.released", id = "ID" },
  ignore = { "cache" }, transforms = { released = model.iso_date },
})

local source <const> = {
  ID = 7, name = "Blue", genre = "hip-hop", artist = { name = "Joni", born = 1943 },
  tracks = {
    { title = "All I Want", seconds = 212, bonus = false },
    { kind = "live", title = "River", seconds = 240.5, bonus = true, place = "LA" },
  },
  ratings = { rs = 5, nme = 4 }, tags = { "b", "a" }, info = { released = "1971-06-22" },
  cover = { url = "x.png", size = { width = 3, height = 4 }, isFront = true }, unknown = 1, cache = "no",
}

it("fills objects with all that is in them", function()
  local album <const> = model.from(Album, source)
  equal({ album.id, album.title, album.genre.rawValue, album.artist.name, album.artist.born },
    { 7, "Blue", "hip-hop", "Joni", 1943 })
  equal({ #album.tracks, album.tracks[1].seconds, typeof(album.tracks[2]).name, album.tracks[2].place },
    { 2, 212.0, "Shop.LiveTrack", "LA" })
  equal({ album.ratings.rs, #album.tags, album.released, album.cache }, { 5, 2, 46396800.0, "kept" })
  equal({ album.cover.url, album.cover.size.width, album.cover.isFront }, { "x.png", 3.0, true })
  equal(album:summary(), "7 Blue by Joni, 2 tracks")
end)

it("makes tables that give the same objects again", function()
  local first <const> = model.to_table(model.from(Album, source))
  equal(first, {
    ID = 7, name = "Blue", genre = "hip-hop", artist = { name = "Joni", born = 1943 },
    tracks = {
      { kind = "studio", title = "All I Want", seconds = 212.0, bonus = false },
      { kind = "live", title = "River", seconds = 240.5, bonus = true, place = "LA" },
    },
    ratings = { rs = 5, nme = 4 }, tags = { "a", "b" }, info = { released = "1971-06-22T00:00:00Z" },
    cover = { url = "x.png", size = { width = 3.0, height = 4.0 }, isFront = true },
  })
  equal(model.to_table(model.from(Album, first)), first)
end)

it("leaves what a table does not have, and sets null to nil", function()
  local album <const> = model.from(Album, source)
  equal(model.update(album, { title = "Hejira", genre = null }) == album, true)
  equal({ album.title, album.genre, album.id }, { "Hejira", nil, 7 })
  equal(model.from(Album, {}).title, "")
end)

it("reads and writes JSON", function()
  local album <const> = model.from_json(Album, '{"result": {"ID": 9007199254740993, "tracks": []}}', "result")
  equal(album.id, 9007199254740993)
  local text <const> = model.to_json(album)
  spec.truthy(string.find(text, '"ID":9007199254740993', 1, true), text)
  spec.truthy(string.find(text, '"tracks":[]', 1, true), text)
  equal(model.to_json({ Artist() }), '[{"name":""}]')
end)

it("makes lists of objects, from a key path", function()
  local document <const> = { result = { artists = { { name = "a" }, { name = "b" } } } }
  local artists <const> = model.list(Artist, document, "result.artists")
  equal({ #artists, artists[2].name }, { 2, "b" })
  spec.raises("there is no list at 'x.y'", model.list, Artist, {}, "x.y")
end)

it("says where a wrong value is", function()
  for problem, wrong in next, {
    ["expected Int, found string at id"] = { ID = "7" }, ["expected Int, found float at id"] = { ID = 7.5 },
    ["expected String, found null at title"] = { name = null },
    ["expected Double, found boolean at tracks[2].seconds"] = { tracks = { {}, { seconds = true } } },
    ["Shop.Genre has no case of the raw value polka at genre"] = { genre = "polka" },
    ["expected an object for Shop.Artist, found integer at artist"] = { artist = 5 },
    ["expected a list for [Shop.Track], found string at tracks"] = { tracks = "x" },
    ["no class of Shop.Track is called 'tape' at tracks[1]"] = { tracks = { { kind = "tape" } } },
    ["Shop.Cover needs a value at cover.size"] = { cover = { url = "u", isFront = true } },
    ["'soon' is no moment of ISO 8601"] = { info = { released = "soon" } },
  } do
    spec.raises(problem, model.from, Album, wrong)
  end
end)

it("takes a list of the properties, transforms and what makes objects", function()
  model.describe(Artist, {
    only = { "name" }, make = function() return Artist() end,
    transforms = { name = { from = string.upper, to = string.lower } },
  })
  local artist <const> = model.from(Artist, { name = "ada", born = 1815 })
  equal({ artist.name, artist.born, model.to_table(artist) }, { "ADA", nil, { name = "ada" } })
  model.describe(Artist, {})
end)

it("refuses descriptions of what there is not", function()
  model.describe(Artist, { keys = { age = "x" } })
  spec.raises("Shop.Artist has no property 'age'", model.from, Artist, {})
  model.describe(Artist, {})
  spec.raises("describe takes a table of options, not a nil", model.describe, Artist)
  spec.raises("a model is a class or its name, not a number", model.from, 5, {})
  spec.raises("update takes an object, not a nil", model.update)
  spec.raises("to_table takes an object, not a table", model.to_table, {})
end)

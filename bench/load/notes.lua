-- Sends players' heartbeats at a constant rate: each connection waits for its reply, and then until the next heartbeat
-- of all is due. Arguments: a file with each viewer's lesson and cookie, separated by a tab; the number of the first
-- heartbeat; heartbeats per second; seconds; path; origin; seconds of a lesson that a heartbeat reports as watched.
-- Viewers take turns, and each continues at the end of their last heartbeat. At the end, prints a line that starts with
-- "result".
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } moment; int clock_gettime(int clock, moment *now);")
local monotonic, moment = 1, ffi.new("moment")

local forever = 1e9
local viewers, threads = {}, {}
local nextNote, perMs, last, path, origin, watchedEach
local startedAt, due = nil, 0
sent = 0

local function nowMs()
  ffi.C.clock_gettime(monotonic, moment)
  return tonumber(moment.seconds) * 1e3 + tonumber(moment.nanoseconds) / 1e6
end

function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  for line in io.lines(args[1]) do
    local lesson, cookie = line:match("^(.-)\t(.*)$")
    viewers[#viewers + 1] = { lesson = lesson, cookie = cookie }
  end
  nextNote, perMs, last = tonumber(args[2]), args[3] / 1e3, args[3] * args[4]
  path, origin, watchedEach = args[5], args[6], tonumber(args[7])
end

function delay()
  startedAt = startedAt or nowMs()
  if due == last then return forever end
  due = due + 1
  return math.max(0, math.floor(startedAt + due / perMs - nowMs()))
end

function request()
  local viewer = viewers[nextNote % #viewers + 1]
  local to = math.floor(nextNote / #viewers) * watchedEach
  local watched = to > 0 and string.format("[%d,%d]", to - watchedEach, to) or ""
  -- wrk requests one request before the start and does not send it.
  if startedAt then nextNote, sent = nextNote + 1, sent + 1 end
  local note = string.format('{"lessonId":"%s","watched":[%s],"position":%d}', viewer.lesson, watched, to)
  local headers = { Cookie = viewer.cookie, Origin = origin, ["Content-Type"] = "application/json" }
  return wrk.format("POST", path, headers, '{"notes":[' .. note .. "]}")
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d %d", threads[1]:get("sent"), latency:percentile(50), latency:percentile(99),
    latency.max, errors.status, lost))
end

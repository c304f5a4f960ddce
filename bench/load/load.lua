-- Sends the requests of a file in turn, repeatedly. Each line has method, path, cookie, origin and body, separated by
-- tabs. At the end, prints a line that starts with "result".
local requests, at = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, cookie, origin, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = { ["Accept-Encoding"] = "gzip, deflate, br" }
    if cookie ~= "" then headers["Cookie"] = cookie end
    if origin ~= "" then headers["Origin"] = origin end
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), errors.status, lost))
end

-- The request of wrk, from environment variables, and the result as one line of JSON. Times are in microseconds.
wrk.method = os.getenv('LOAD_METHOD')
wrk.body = os.getenv('LOAD_BODY')
-- For a body that is too large for an environment variable.
local file = os.getenv('LOAD_BODY_FILE')
if file then wrk.body = io.open(file):read('*a') end

-- Replaces VARY in the path by a new number in each request, so that no two statements are equal.
local vary = os.getenv('LOAD_VARY')
local count = 0
function init()
  if not vary then return end
  local path = wrk.path
  request = function()
    count = count + 1
    return wrk.format(nil, (path:gsub('VARY', count)))
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"duration":%d,"p50":%d,"p99":%d,"failures":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end

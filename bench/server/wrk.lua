-- What wrk sends, told by the environment, and its result as one line of JSON. Times are in microseconds.
wrk.method = os.getenv('LOAD_METHOD')
wrk.body = os.getenv('LOAD_BODY')

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"duration":%d,"p50":%d,"p99":%d,"failures":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end

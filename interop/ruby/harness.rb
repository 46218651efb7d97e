# Runs the Ruby receiver of docs/receivers against the vectors.
require_relative "receiver"

TASK = JSON.parse(File.read(ARGV.first))

def run(vector)
  request = vector["request"]
  # In a vector, one character is one byte.
  headers = request["headers"].group_by { |name, _| name.downcase }.transform_values do |pairs|
    pairs.map { |_, value| value.encode("ISO-8859-1").b }.join(", ")
  end
  jwks = TASK["jwks"][vector["jwks"]]
  now = Time.at(vector["now"])
  Webhooks.verify(request["method"], request["url"], headers, request["body"].b, jwks, vector["partner_id"], now: now)
  { name: vector["name"], accepted: true }
rescue StandardError => e
  { name: vector["name"], accepted: false, reason: e.message }
end

puts JSON.generate(results: TASK["cases"].map { |vector| run(vector) })

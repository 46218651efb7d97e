require "digest"
require "json"
require "openssl"

module Webhooks
  FORM = /\A([a-z*][a-z0-9_.*-]*)=(\("@method" "@target-uri" "content-type" "content-digest" "webhook-id"\);created=(\d{1,15});alg="ecdsa-p384-sha384";keyid="([\w-]+)")\z/
  Refused = Class.new(StandardError)

  # Returns the event id. url: the endpoint's `url`, as Concord shows it; headers: names in lower case; body: the raw bytes;
  # partner: your partner, whose events are the only ones to accept.
  def self.verify(method, url, headers, body, jwks, partner, now: Time.now)
    read = lambda do |name|
      value = headers[name].to_s.gsub(/\A[ \t]+|[ \t]+\z/n, "")
      value.match?(/\A[\t\x20-\x7e]+\z/n) ? value : raise(Refused, "#{name} is missing, or is not ASCII text")
    end
    label, parameters, created, kid = FORM.match(read["signature-input"])&.captures
    raise Refused, "Signature-Input has another form than Concord writes" unless label
    raise Refused, "created must be within 300 s of the clock" if (now.to_i - created.to_i).abs > 300
    encoded = read["signature"][/\A#{Regexp.escape(label)}=:([A-Za-z0-9+\/]{128}):\z/, 1]
    raise Refused, "Signature must have one signature of 96 bytes" unless encoded

    base = "\"@method\": #{method}\n\"@target-uri\": #{url}\n" +
           %w[content-type content-digest webhook-id].map { |name| "\"#{name}\": #{read[name]}\n" }.join +
           "\"@signature-params\": #{parameters}"
    numbers = encoded.unpack1("m0").unpack("a48a48").map { |half| OpenSSL::ASN1::Integer(OpenSSL::BN.new(half, 2)) }
    signature = OpenSSL::ASN1::Sequence(numbers).to_der
    raise Refused, "the signature is invalid" unless find_key(jwks, kid).verify("SHA384", signature, base)

    digest = "sha-256=:#{Digest::SHA256.base64digest(body)}:"
    raise Refused, "Content-Digest does not match the body" unless read["content-digest"] == digest
    event = JSON.parse(body)
    raise Refused, "the event belongs to another partner" unless event["partner_id"] == partner
    event.fetch("id")
  end

  def self.find_key(jwks, kid)
    key = jwks["keys"].find { |one| one["kid"] == kid && one["crv"] == "P-384" } or raise Refused, "unknown key"
    point = (key["x"] + key["y"]).tr("-_", "+/").unpack1("m0")
    # SubjectPublicKeyInfo of a point on P-384 (RFC 5480).
    OpenSSL::PKey.read(["3076301006072a8648ce3d020106052b8104002203620004"].pack("H*") + point)
  end
end

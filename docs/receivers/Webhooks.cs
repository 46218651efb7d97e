using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

public static class Webhooks
{
    static readonly Regex Form = new("""
        ^([a-z*][a-z0-9_.*-]*)=(\("@method" "@target-uri" "content-type" "content-digest" "webhook-id"\);created=([0-9]{1,15});alg="ecdsa-p384-sha384";keyid="([A-Za-z0-9_-]+)")\z
        """);

    /// <summary>Returns the event id. url: the endpoint's url, as Concord shows it; header: the value of a header by its name;
    /// partner: your partner, whose events are the only ones to accept.</summary>
    public static string Verify(string method, string url, Func<string, string> header, byte[] body, JsonElement jwks, string partner, DateTimeOffset now)
    {
        Match input = Form.Match(header("Signature-Input").Trim());
        Require(input.Success, "Signature-Input has another form than Concord writes");
        string label = input.Groups[1].Value, parameters = input.Groups[2].Value, kid = input.Groups[4].Value;
        Require(Math.Abs(now.ToUnixTimeSeconds() - long.Parse(input.Groups[3].Value)) <= 300, "created must be within 300 s of the clock");
        Match signature = Regex.Match(header("Signature").Trim(), $@"^{Regex.Escape(label)}=:([A-Za-z0-9+/]{{128}}):\z");
        Require(signature.Success, "Signature must have one signature of 96 bytes");

        string digest = header("Content-Digest").Trim();
        string text = $"\"@method\": {method}\n\"@target-uri\": {url}\n\"content-type\": {header("Content-Type").Trim()}\n"
            + $"\"content-digest\": {digest}\n\"webhook-id\": {header("Webhook-Id").Trim()}\n\"@signature-params\": {parameters}";
        Require(Ascii.IsValid(text), "a header is not ASCII text");
        using ECDsa key = FindKey(jwks, kid);
        // VerifyData takes r and s as Concord sends them, and not DER.
        bool isValid = key.VerifyData(Encoding.ASCII.GetBytes(text), Convert.FromBase64String(signature.Groups[1].Value), HashAlgorithmName.SHA384);
        Require(isValid, "the signature is invalid");

        Require(digest == $"sha-256=:{Convert.ToBase64String(SHA256.HashData(body))}:", "Content-Digest does not match the body");
        using JsonDocument json = JsonDocument.Parse(body);
        Require(json.RootElement.GetProperty("partner_id").GetString() == partner, "the event belongs to another partner");
        return json.RootElement.GetProperty("id").GetString() ?? throw new CryptographicException("the body is not an event");
    }

    static ECDsa FindKey(JsonElement jwks, string kid)
    {
        foreach (JsonElement key in jwks.GetProperty("keys").EnumerateArray())
        {
            if (key.GetProperty("kid").GetString() != kid || key.GetProperty("crv").GetString() != "P-384") continue;
            byte[] Read(string name) => Convert.FromBase64String(key.GetProperty(name).GetString()!.Replace('-', '+').Replace('_', '/'));
            return ECDsa.Create(new ECParameters { Curve = ECCurve.NamedCurves.nistP384, Q = new ECPoint { X = Read("x"), Y = Read("y") } });
        }
        throw new CryptographicException("unknown key");
    }

    static void Require(bool condition, string message)
    {
        if (!condition) throw new CryptographicException(message);
    }
}

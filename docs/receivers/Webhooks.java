import com.google.gson.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.spec.*;
import java.time.*;
import java.util.*;
import org.greenbytes.http.sfv.*;
import org.greenbytes.http.sfv.Dictionary;

final class Webhooks {
    static final Set<String> COVERED = Set.of("@method", "@target-uri", "content-type", "content-digest", "webhook-id");

    /**
     * Returns the event id. url: the endpoint's `url`, as Concord shows it; headers: names in lower case; body: the raw bytes; partner: your partner,
     * whose events are the only ones to accept.
     */
    static String verify(String method, String url, Map<String, List<String>> headers, byte[] body, JsonObject jwks, String partner, Instant now) throws Exception {
        for (List<String> lines : headers.values()) for (String line : lines) require(line.matches("[\\t\\x20-\\x7e]*"), "headers must have printable ASCII characters and tabs only");
        Map<String, ? extends ListElement<?>> inputs = parse(headers, "signature-input");
        Map<String, ? extends ListElement<?>> signatures = parse(headers, "signature");
        require(inputs.size() == 1 && inputs.keySet().equals(signatures.keySet()), "the request must have exactly one signature");
        InnerList input = (InnerList) inputs.values().iterator().next();
        Map<String, ?> parameters = input.getParams();
        require("ecdsa-p384-sha384".equals(((StringItem) parameters.get("alg")).get()), "alg must be ecdsa-p384-sha384");
        long created = ((IntegerItem) parameters.get("created")).getAsLong();
        require(Math.abs(now.getEpochSecond() - created) <= 300, "created must be within 300 s of the clock");
        require(!(parameters.get("expires") instanceof IntegerItem expires) || expires.getAsLong() >= now.getEpochSecond(), "the signature has expired");

        StringBuilder base = new StringBuilder();
        Set<String> seen = new HashSet<>();
        for (Item<?> component : input.get()) {
            String name = ((StringItem) component).get();
            require(seen.add(name) && component.getParams().isEmpty(), "components must be unique and have no parameters");
            String value = name.equals("@method") ? method : name.equals("@target-uri") ? url : field(headers, name);
            base.append(component.serialize()).append(": ").append(value).append('\n');
        }
        require(seen.containsAll(COVERED), "the signature must cover " + COVERED);
        base.append("\"@signature-params\": ").append(input.serialize());
        Signature ecdsa = Signature.getInstance("SHA384withECDSAinP1363Format");
        ecdsa.initVerify(find(jwks, ((StringItem) parameters.get("keyid")).get()));
        ecdsa.update(base.toString().getBytes(StandardCharsets.US_ASCII));
        java.nio.ByteBuffer bytes = ((ByteSequenceItem) signatures.values().iterator().next()).get();
        require(bytes.remaining() == 96 && ecdsa.verify(bytes.array(), 0, 96), "the signature is invalid");

        Map<String, ? extends ListElement<?>> digests = parse(headers, "content-digest");
        require(digests.containsKey("sha-256") || digests.containsKey("sha-512"), "Content-Digest must have sha-256 or sha-512");
        for (String name : List.of("sha-256", "sha-512")) {
            if (!digests.containsKey(name)) continue;
            byte[] digest = ((ByteSequenceItem) digests.get(name)).get().array();
            require(MessageDigest.isEqual(digest, MessageDigest.getInstance(name).digest(body)), "Content-Digest does not match the body");
        }
        JsonObject event = JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject();
        require(partner.equals(event.get("partner_id").getAsString()), "the event belongs to another partner");
        return event.get("id").getAsString();
    }

    static PublicKey find(JsonObject jwks, String kid) throws Exception {
        for (JsonElement element : jwks.getAsJsonArray("keys")) {
            JsonObject key = element.getAsJsonObject();
            if (!kid.equals(key.get("kid").getAsString()) || !key.has("crv") || !"P-384".equals(key.get("crv").getAsString())) continue;
            AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
            curve.init(new ECGenParameterSpec("secp384r1"));
            ECPoint point = new ECPoint(number(key, "x"), number(key, "y"));
            return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
        }
        throw new SecurityException("unknown key");
    }

    static BigInteger number(JsonObject key, String name) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(key.get(name).getAsString()));
    }

    /** The parser drops duplicates, so the text must equal what it writes. */
    static Map<String, ? extends ListElement<?>> parse(Map<String, List<String>> headers, String name) {
        Dictionary dictionary = Parser.parseDictionary(field(headers, name));
        require(dictionary.serialize().equals(field(headers, name)), name + " has duplicates or unusual whitespace");
        return dictionary.get();
    }

    static String field(Map<String, List<String>> headers, String name) {
        require(headers.containsKey(name), name + " is missing");
        return String.join(", ", headers.get(name).stream().map(String::strip).toList());
    }

    static void require(boolean condition, String message) {
        if (!condition) throw new SecurityException(message);
    }
}

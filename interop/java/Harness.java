// Runs the Java receiver of docs/receivers against the vectors.
import com.google.gson.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.time.Instant;
import java.util.*;

final class Harness {
    public static void main(String[] arguments) throws Exception {
        JsonObject task = JsonParser.parseString(Files.readString(Path.of(arguments[0]))).getAsJsonObject();
        JsonArray results = new JsonArray();
        for (JsonElement element : task.getAsJsonArray("cases")) results.add(run(element.getAsJsonObject(), task.getAsJsonObject("jwks")));
        JsonObject out = new JsonObject();
        out.add("results", results);
        System.out.println(out);
    }

    static JsonObject run(JsonObject vector, JsonObject jwks) {
        JsonObject request = vector.getAsJsonObject("request");
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (JsonElement pair : request.getAsJsonArray("headers")) {
            String name = pair.getAsJsonArray().get(0).getAsString().toLowerCase(Locale.ROOT);
            headers.computeIfAbsent(name, none -> new ArrayList<>()).add(pair.getAsJsonArray().get(1).getAsString());
        }
        JsonObject result = new JsonObject();
        result.add("name", vector.get("name"));
        try {
            Webhooks.verify(
                    request.get("method").getAsString(),
                    request.get("url").getAsString(),
                    headers,
                    request.get("body").getAsString().getBytes(StandardCharsets.UTF_8),
                    jwks.getAsJsonObject(vector.get("jwks").getAsString()),
                    vector.get("partner_id").getAsString(),
                    Instant.ofEpochSecond(vector.get("now").getAsLong()));
            result.addProperty("accepted", true);
        } catch (Exception exception) {
            result.addProperty("accepted", false);
            result.addProperty("reason", exception.toString());
        }
        return result;
    }
}

import com.google.gson.JsonParser;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Instant;
import java.util.*;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;

@RestController
@EnableAutoConfiguration
class Receiver {
    public static void main(String[] args) {
        SpringApplication app = new SpringApplication(Receiver.class);
        app.setDefaultProperties(Map.of("server.port", System.getenv("PORT"), "server.address", "127.0.0.1"));
        app.run(args);
    }

    /** A parameter `byte[]` has the bytes. A class of your own, or a `Map`, would parse them. */
    @PostMapping("/hooks")
    ResponseEntity<Void> hooks(@RequestHeader HttpHeaders headers, @RequestBody(required = false) byte[] body) {
        try (var keys = new InputStreamReader(URI.create(System.getenv("JWKS")).toURL().openStream())) { // keep it for an hour
            Map<String, List<String>> lower = new HashMap<>();
            headers.forEach((name, lines) -> lower.put(name.toLowerCase(Locale.ROOT), lines));
            var jwks = JsonParser.parseReader(keys).getAsJsonObject();
            Webhooks.verify("POST", System.getenv("WEBHOOK_URL"), lower, body, jwks, System.getenv("PARTNER"), Instant.now());
            return ResponseEntity.noContent().build();
        } catch (Exception e) {
            return ResponseEntity.status(401).build();
        }
    }
}

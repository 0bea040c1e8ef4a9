import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import sinete.DocumentsModels.DocumentsCreatedEvent;

/** Receives webhooks. Yours has an address on the internet, and keeps its token and secret in its settings. */
class Receiver implements AutoCloseable {
    private static final int MAX_BODY = 1024 * 1024;
    private static final long MAX_AGE_SECONDS = 300;

    private final byte[] key = random();
    final String token = Base64.getUrlEncoder().encodeToString(random());
    final String secret = "whsec_" + Base64.getEncoder().encodeToString(key);
    private final LinkedBlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);

    Receiver() throws IOException {
        server.createContext("/", this::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** Keeps an event, and confirms it; the work comes afterwards. */
    private void receive(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        if (!isEqual("Bearer " + token, headers.getFirst("Authorization"))) {
            answer(exchange, 401);
            return;
        }
        var body = exchange.getRequestBody().readNBytes(MAX_BODY);
        var id = headers.getFirst("webhook-id");
        var timestamp = headers.getFirst("webhook-timestamp");
        if (!isSigned(id, timestamp, body, headers.getFirst("webhook-signature"))) {
            answer(exchange, 401);
            return;
        }
        // An event may come twice.
        if (seen.add(id)) events.add(body);
        answer(exchange, 204);
    }

    /** Over the bytes as they came, by Standard Webhooks. */
    private boolean isSigned(String id, String timestamp, byte[] body, String signature) {
        try {
            var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now());
            if (Math.abs(age.toSeconds()) > MAX_AGE_SECONDS) return false;
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return isEqual("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)), signature);
        } catch (Exception error) {
            return false;
        }
    }

    void waitForCreated(String documentId) throws Exception {
        for (var body = events.poll(30, TimeUnit.SECONDS); body != null; body = events.poll(30, TimeUnit.SECONDS)) {
            // The webhook is told of every document of the organization.
            if (!Sinete.json.readTree(body).path("type").asText().equals("DocumentsCreated")) continue;
            var event = Sinete.json.readValue(body, DocumentsCreatedEvent.class);
            if (event.data().documents().stream().anyMatch(document -> document.id().equals(documentId))) return;
        }
        throw new Exception("No event came.");
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /** In a time that says nothing of where they differ. */
    private static boolean isEqual(String expected, String given) {
        return given != null && MessageDigest.isEqual(expected.getBytes(), given.getBytes());
    }

    private static byte[] random() {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}

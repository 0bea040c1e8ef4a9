import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Calls of the services. */
class Sinete {
    static final String URL = System.getenv().getOrDefault("SINETE_URL", "http://localhost:3000");
    static final String KEY = "sandbox|sinete-local-key";

    // A newer service has fields that these models do not know. A null was not given.
    static final ObjectMapper json = new ObjectMapper()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .setSerializationInclusion(JsonInclude.Include.NON_NULL);

    private static final HttpClient http = HttpClient.newHttpClient();

    static <T> T post(String path, Object body, Class<T> type) throws IOException, InterruptedException {
        return json.readValue(send("POST", path, body), type);
    }

    /** Bytes are sent as they are, models as JSON. */
    static byte[] send(String method, String path, Object body) throws IOException, InterruptedException {
        var isFile = body instanceof byte[];
        var content = body == null ? new byte[0] : isFile ? (byte[]) body : json.writeValueAsBytes(body);
        var request = HttpRequest.newBuilder(URI.create(URL + path))
            .header("X-API-Key", KEY)
            .header("Content-Type", isFile ? "application/octet-stream" : "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(content))
            .build();
        var answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 300) throw new Refusal(answer.body());
        return answer.body();
    }

    static class Refusal extends IOException {
        final String code;

        /** The session server puts code and message into an error, the document platform does not. */
        Refusal(byte[] body) throws IOException {
            super(new String(body, "UTF-8"));
            var answer = json.readTree(body);
            code = answer.path("error").path("code").asText(answer.path("code").asText());
        }
    }
}

import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.spi.client.http.DataLoader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fetches lists and OCSP responses by the JDK's own client. Each is asked for once. */
final class Loader implements DataLoader {
  private static final long serialVersionUID = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final transient HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final transient Map<String, byte[]> known = new ConcurrentHashMap<>();

  @Override
  public byte[] get(String url) {
    return known.computeIfAbsent(url, key -> ask(HttpRequest.newBuilder(URI.create(url)).GET()));
  }

  @Override
  public DataAndUrl get(List<String> urls) {
    for (String url : urls) return new DataAndUrl(url, get(url));
    throw new DSSException("There is no address.");
  }

  @Override
  public byte[] post(String url, byte[] content) {
    return known.computeIfAbsent(url + Arrays.toString(content), key -> ask(HttpRequest.newBuilder(URI.create(url))
      .header("Content-Type", "application/ocsp-request")
      .POST(HttpRequest.BodyPublishers.ofByteArray(content))));
  }

  private byte[] ask(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() == 200) return answer.body();
      throw new DSSException("The status is " + answer.statusCode() + ".");
    } catch (java.io.IOException | InterruptedException error) {
      throw new DSSException("Nothing came.", error);
    }
  }

  @Override
  public void setContentType(String type) {}
}

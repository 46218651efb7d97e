// Creates, publishes, lists by pages and makes an error, with the client that openapi-generator makes for Java.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.PartnersApi;
import org.openapitools.client.model.CreatePartner;
import org.openapitools.client.model.Event;
import org.openapitools.client.model.Partner;
import org.openapitools.client.model.PublishEvent;

public class Run {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("CONCORD_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("CONCORD_TOKEN")));
    PartnersApi partners = new PartnersApi(client);
    String name = System.getenv("CONCORD_NAME");

    Partner partner = null;
    for (int i = 0; i < 3; i++) partner = partners.createPartner(new CreatePartner().name(name + " " + i), name + i);
    Event event = new EventsApi(client)
        .publishEvent(partner.getId(), new PublishEvent().type("inventory.updated").data(Map.of("sku", "NX-1", "quantity", 12)), null);

    List<Integer> pages = new ArrayList<>();
    String from = null;
    do {
      ApiResponse<List<Partner>> page = partners.listPartnersWithHttpInfo(2, from, null, null, name, null);
      pages.add(page.getData().size());
      String link = page.getHeaders().getOrDefault("link", List.of("")).get(0);
      Matcher next = Pattern.compile("[?&]page_from=([^&>]+)").matcher(link);
      from = next.find() ? next.group(1) : null;
    } while (from != null);

    String error = "none";
    try {
      partners.getPartner("ptr_unknown", null);
    } catch (ApiException refused) {
      Matcher code = Pattern.compile("\"code\":\"(\\w+)\"").matcher(refused.getResponseBody());
      error = refused.getCode() + " " + (code.find() ? code.group(1) : "");
    }
    System.out.printf(
        "{\"partner\":\"%s\",\"event\":\"%s\",\"pages\":%s,\"error\":\"%s\"}%n", partner.getId(), event.getId(), pages, error);
  }
}

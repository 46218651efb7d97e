// Creates, publishes, lists by pages and makes an error, with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"

	"interop/concord"
)

var next = regexp.MustCompile(`[?&]page_from=([^&>]+)`)

func main() {
	name := os.Getenv("CONCORD_NAME")
	ctx := context.Background()
	client, err := concord.NewClientWithResponses(os.Getenv("CONCORD_URL"),
		concord.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("CONCORD_TOKEN"))
			return nil
		}))
	if err != nil {
		log.Fatal(err)
	}

	var partner *concord.Partner
	for i := range 3 {
		key := fmt.Sprint(name, i)
		answer, err := client.CreatePartnerWithResponse(ctx, &concord.CreatePartnerParams{IdempotencyKey: &key},
			concord.CreatePartner{Name: fmt.Sprint(name, " ", i)})
		if err != nil || answer.JSON201 == nil {
			log.Fatal("createPartner: ", err, string(answer.Body))
		}
		partner = answer.JSON201
	}
	event, err := client.PublishEventWithResponse(ctx, partner.Id, nil,
		concord.PublishEvent{Type: "inventory.updated", Data: map[string]any{"sku": "NX-1", "quantity": 12}})
	if err != nil || event.JSON202 == nil {
		log.Fatal("publishEvent: ", err, string(event.Body))
	}

	pages := []int{}
	size := 2
	params := concord.ListPartnersParams{PageSize: &size, FilterName: &name}
	for {
		page, err := client.ListPartnersWithResponse(ctx, &params)
		if err != nil || page.JSON200 == nil {
			log.Fatal("listPartners: ", err)
		}
		pages = append(pages, len(*page.JSON200))
		link := next.FindStringSubmatch(page.HTTPResponse.Header.Get("Link"))
		if link == nil {
			break
		}
		params.PageFrom = &link[1]
	}

	refused, err := client.GetPartnerWithResponse(ctx, "ptr_unknown", nil)
	if err != nil || refused.JSON404 == nil {
		log.Fatal("getPartner: ", err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"partner": partner.Id, "event": event.JSON202.Id, "pages": pages,
		"error": fmt.Sprint(refused.StatusCode(), " ", refused.JSON404.Code),
	})
}

// Creates, publishes, lists by pages and makes an error, with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"regexp"

	concord "interop/concord"
)

var next = regexp.MustCompile(`[?&]page_from=([^&>]+)`)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	name := os.Getenv("CONCORD_NAME")
	config := concord.NewConfiguration()
	config.Servers = concord.ServerConfigurations{{URL: os.Getenv("CONCORD_URL")}}
	client := concord.NewAPIClient(config)
	ctx := context.WithValue(context.Background(), concord.ContextAccessToken, os.Getenv("CONCORD_TOKEN"))

	var partner *concord.Partner
	for i := range 3 {
		body := concord.NewCreatePartner(fmt.Sprint(name, " ", i))
		partner = must(client.PartnersAPI.CreatePartner(ctx).CreatePartner(*body).IdempotencyKey(fmt.Sprint(name, i)).Execute())
	}
	data := map[string]any{"sku": "NX-1", "quantity": 12}
	event := must(client.EventsAPI.PublishEvent(ctx, partner.Id).PublishEvent(*concord.NewPublishEvent("inventory.updated", data)).Execute())

	pages := []int{}
	list := client.PartnersAPI.ListPartners(ctx).PageSize(2).FilterName(name)
	for {
		page, response, err := list.Execute()
		if err != nil {
			log.Fatal(err)
		}
		pages = append(pages, len(page))
		link := next.FindStringSubmatch(response.Header.Get("Link"))
		if link == nil {
			break
		}
		list = list.PageFrom(link[1])
	}

	_, response, err := client.PartnersAPI.GetPartner(ctx, "ptr_unknown").Execute()
	var refused *concord.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal("no error: ", err)
	}
	fault := refused.Model().(concord.Error)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"partner": partner.Id, "event": event.Id, "pages": pages, "error": fmt.Sprint(response.StatusCode, " ", fault.Code),
	})
}

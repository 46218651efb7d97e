package main

import (
	"encoding/json"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Body    string
	Headers map[string]string
}

func main() {
	var task struct {
		Secret            string
		Requests, Changed []request
	}
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &task)
	}
	wh, errSecret := standardwebhooks.NewWebhook(task.Secret)
	if err != nil || errSecret != nil {
		panic("the task cannot be read")
	}
	count := func(requests []request, expected bool) (found int) {
		for _, each := range requests {
			headers := http.Header{}
			for name, value := range each.Headers {
				headers.Set(name, value)
			}
			if (wh.Verify([]byte(each.Body), headers) == nil) == expected {
				found++
			}
		}
		return
	}
	json.NewEncoder(os.Stdout).Encode(map[string]int{"verified": count(task.Requests, true), "refused": count(task.Changed, false)})
}

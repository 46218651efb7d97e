package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

func main() {
	// net/http hands over the bytes. Nothing may read req.Body before Verify.
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, req *http.Request) {
		var jwks JWKS
		keys, err := http.Get(os.Getenv("JWKS")) // keep it for an hour
		if err == nil {
			defer keys.Body.Close()
			err = json.NewDecoder(keys.Body).Decode(&jwks)
		}
		if err == nil {
			_, err = Verify(req, os.Getenv("WEBHOOK_URL"), os.Getenv("PARTNER"), jwks, time.Now())
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

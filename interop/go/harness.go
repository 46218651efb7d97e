// Runs the Go receiver of docs/receivers against the vectors, and exchanges signatures with our packages.
package main

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/yaronf/httpsign"
)

type request struct {
	Method     string      `json:"method"`
	URL        string      `json:"url"`
	Headers    [][2]string `json:"headers"`
	Body       string      `json:"body"`
	Components []string    `json:"components,omitempty"`
}

type task struct {
	JWKS  map[string]JWKS
	Cases []struct {
		Name, JWKS string
		Partner    string `json:"partner_id"`
		Now        int64
		Request    request
	}
	Unsigned        []request
	General         request
	Kid, PrivatePem string
}

type result struct {
	Name     string `json:"name"`
	Accepted bool   `json:"accepted"`
	Reason   string `json:"reason,omitempty"`
}

func (r request) toHTTP() *http.Request {
	target, err := url.Parse(r.URL)
	must(err)
	header := http.Header{}
	for _, pair := range r.Headers {
		// net/http trims values too.
		header.Add(pair[0], strings.Trim(pair[1], " \t"))
	}
	return &http.Request{Method: r.Method, URL: target, Host: target.Host, Header: header, Body: io.NopCloser(strings.NewReader(r.Body))}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (t task) sign(r request) request {
	block, _ := pem.Decode([]byte(t.PrivatePem))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	must(err)
	fields := httpsign.NewFields()
	for _, component := range r.Components {
		if name, found := strings.CutPrefix(component, `"@query-param";name=`); found {
			fields.AddQueryParam(strings.Trim(name, `"`))
		} else if name, found := strings.CutSuffix(component, ";bs"); found {
			fields.AddHeaderExt(strings.Trim(name, `"`), false, true, false, false)
		} else if name, key, found := strings.Cut(component, ";key="); found {
			fields.AddDictHeader(strings.Trim(name, `"`), strings.Trim(key, `"`))
		} else {
			fields.AddHeader(strings.Trim(component, `"`))
		}
	}
	config := httpsign.NewSignConfig().SetKeyID(t.Kid).SignAlg(true)
	signer, err := httpsign.NewP384Signer(*parsed.(*ecdsa.PrivateKey), config, *fields)
	must(err)
	input, signature, err := httpsign.SignRequest("go", *signer, r.toHTTP())
	must(err)
	r.Headers = append(r.Headers, [2]string{"Signature-Input", input}, [2]string{"Signature", signature})
	return r
}

func (t task) verifyGeneral() {
	key, err := t.JWKS["live"].find(t.Kid)
	must(err)
	verifier, err := httpsign.NewP384Verifier(*key, httpsign.NewVerifyConfig().SetVerifyCreated(false), *httpsign.NewFields())
	must(err)
	must(httpsign.VerifyRequest("sig1", *verifier, t.General.toHTTP()))
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	must(err)
	var t task
	must(json.Unmarshal(text, &t))
	t.verifyGeneral()
	var out struct {
		Results []result  `json:"results"`
		Signed  []request `json:"signed"`
	}
	for _, c := range t.Cases {
		id, err := Verify(c.Request.toHTTP(), c.Request.URL, c.Partner, t.JWKS[c.JWKS], time.Unix(c.Now, 0))
		if err != nil || id == "" {
			out.Results = append(out.Results, result{Name: c.Name, Reason: strings.ReplaceAll(errText(err), "\n", "; ")})
		} else {
			out.Results = append(out.Results, result{Name: c.Name, Accepted: true})
		}
	}
	for _, r := range t.Unsigned {
		out.Signed = append(out.Signed, t.sign(r))
	}
	must(json.NewEncoder(os.Stdout).Encode(out))
}

func errText(err error) string {
	if err == nil {
		return "no id"
	}
	return err.Error()
}

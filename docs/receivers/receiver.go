package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/yaronf/httpsign"
)

type JWKS struct {
	Keys []struct{ Kid, Crv, X, Y string }
}

func (jwks JWKS) find(kid string) (*ecdsa.PublicKey, error) {
	for _, key := range jwks.Keys {
		if key.Kid == kid && key.Crv == "P-384" {
			x, errX := base64.RawURLEncoding.DecodeString(key.X)
			y, errY := base64.RawURLEncoding.DecodeString(key.Y)
			return &ecdsa.PublicKey{Curve: elliptic.P384(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}, errors.Join(errX, errY)
		}
	}
	return nil, errors.New("unknown key")
}

// readKeys returns the keys of a dictionary. The parser drops duplicates, so the text must equal what it writes.
func readKeys(lines []string) ([]string, error) {
	text := strings.TrimSpace(strings.Join(lines, ", "))
	dictionary, err := httpsfv.UnmarshalDictionary([]string{text})
	if err != nil {
		return nil, err
	}
	written, err := httpsfv.Marshal(dictionary)
	if err != nil || written != text {
		return nil, errors.Join(err, errors.New("a header has duplicates or unusual whitespace"))
	}
	return dictionary.Names(), nil
}

// Verify returns the event id. registered is the endpoint's url as Concord shows it, partner the id of your
// partner, whose events are the only ones to accept.
func Verify(req *http.Request, registered, partner string, jwks JWKS, now time.Time) (string, error) {
	target, err := url.Parse(registered)
	if err != nil {
		return "", err
	}
	req.URL, req.Host = target, target.Host
	inputs, errInputs := readKeys(req.Header.Values("Signature-Input"))
	signatures, errSignatures := readKeys(req.Header.Values("Signature"))
	_, errDigests := readKeys(req.Header.Values("Content-Digest"))
	if err := errors.Join(errInputs, errSignatures, errDigests); err != nil {
		return "", err
	}
	if len(inputs) != 1 || !slices.Equal(inputs, signatures) {
		return "", errors.New("the request must have exactly one signature")
	}
	label := inputs[0]
	details, err := httpsign.RequestDetails(label, req)
	if err != nil || details.KeyID == nil || details.Created == nil {
		return "", errors.Join(err, errors.New("the signature must have keyid and created"))
	}
	if details.Created.Sub(now).Abs() > 5*time.Minute || details.Expires != nil && now.After(*details.Expires) {
		return "", errors.New("created is too far from the clock, or the signature has expired")
	}
	key, err := jwks.find(*details.KeyID)
	if err != nil {
		return "", err
	}
	config := httpsign.NewVerifyConfig().SetVerifyCreated(false).SetRejectExpired(false).SetAllowedAlgs([]string{"ecdsa-p384-sha384"})
	covered := httpsign.Headers("@method", "@target-uri", "content-type", "content-digest", "webhook-id")
	verifier, err := httpsign.NewP384Verifier(*key, config, covered)
	if err != nil {
		return "", err
	}
	if err := httpsign.VerifyRequest(label, *verifier, req); err != nil {
		return "", err
	}
	accepted := []string{httpsign.DigestSha256, httpsign.DigestSha512}
	if err := httpsign.ValidateContentDigestHeader(req.Header.Values("Content-Digest"), &req.Body, accepted); err != nil {
		return "", err
	}
	var event struct {
		ID      string `json:"id"`
		Partner string `json:"partner_id"`
	}
	if err := json.NewDecoder(io.LimitReader(req.Body, 1<<20)).Decode(&event); err != nil {
		return "", err
	}
	if event.Partner != partner {
		return "", errors.New("the event belongs to another partner")
	}
	return event.ID, nil
}

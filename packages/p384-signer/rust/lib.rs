//! Signs with ECDSA on P-384 and SHA-384 for Node.js. AWS-LC computes, in the threads of libuv's pool.

use std::iter::once;
use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair};
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi::{Env, Error, Result, Task};
use napi_derive::napi;

/// Holds one private key. AWS-LC overwrites it with zeros when the signer is collected and its last signature is made.
#[napi]
pub struct P384Signer {
    key: Arc<EcdsaKeyPair>,
}

#[napi]
impl P384Signer {
    /// Takes a private key in PKCS#8 (DER). The bytes are read where they are: the caller overwrites them.
    #[napi(constructor)]
    pub fn new(pkcs8: &[u8]) -> Result<Self> {
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, pkcs8).map_err(|_| {
                Error::from_reason("The key must be a P-384 private key in PKCS#8 (DER)")
            })?;
        Ok(Self { key: Arc::new(key) })
    }

    /// Signs the parts of `data`: each ends where `ends` says, in bytes from the start of `data`. Resolves to their
    /// signatures, one after the other: `r` and `s` of each, 48 bytes (IEEE P1363).
    #[napi]
    pub fn sign_many(&self, data: &[u8], ends: &[u32]) -> Result<AsyncTask<Signing>> {
        let limits = once(0).chain(ends.iter().map(|end| *end as usize));
        if !limits.is_sorted() || ends.last().is_some_and(|end| *end as usize > data.len()) {
            return Err(Error::from_reason(
                "The ends must grow, and stay within the data",
            ));
        }
        // Copies, since the caller may change the bytes before a thread reads them.
        Ok(AsyncTask::new(Signing {
            key: self.key.clone(),
            data: data.to_vec(),
            ends: ends.to_vec(),
        }))
    }
}

pub struct Signing {
    key: Arc<EcdsaKeyPair>,
    data: Vec<u8>,
    ends: Vec<u32>,
}

impl Task for Signing {
    type Output = Vec<u8>;
    type JsValue = Buffer;

    fn compute(&mut self) -> Result<Vec<u8>> {
        let random = SystemRandom::new();
        let mut signatures = Vec::with_capacity(self.ends.len() * 96);
        let mut start = 0;
        for end in self.ends.iter().map(|end| *end as usize) {
            let signature = self
                .key
                .sign(&random, &self.data[start..end])
                .map_err(|_| Error::from_reason("AWS-LC could not sign"))?;
            signatures.extend_from_slice(signature.as_ref());
            start = end;
        }
        Ok(signatures)
    }

    fn resolve(&mut self, _env: Env, signatures: Vec<u8>) -> Result<Buffer> {
        Ok(signatures.into())
    }
}

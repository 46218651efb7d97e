//! Signs with ECDSA on P-384 and SHA-384 for Node.js. AWS-LC computes, in the threads of libuv's pool.

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Signature};
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

    /// Resolves to `r` followed by `s`, 48 bytes each (IEEE P1363).
    #[napi]
    pub fn sign(&self, data: &[u8]) -> AsyncTask<Signing> {
        // A copy, since the caller may change the bytes before a thread reads them.
        AsyncTask::new(Signing {
            key: self.key.clone(),
            data: data.to_vec(),
        })
    }
}

pub struct Signing {
    key: Arc<EcdsaKeyPair>,
    data: Vec<u8>,
}

impl Task for Signing {
    type Output = Signature;
    type JsValue = Buffer;

    fn compute(&mut self) -> Result<Signature> {
        self.key
            .sign(&SystemRandom::new(), &self.data)
            .map_err(|_| Error::from_reason("AWS-LC could not sign"))
    }

    fn resolve(&mut self, _env: Env, signature: Signature) -> Result<Buffer> {
        Ok(signature.as_ref().into())
    }
}

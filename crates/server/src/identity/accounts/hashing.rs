//! Hashes and compares passwords on background threads, in memory that is kept for later hashes. Freed memory would
//! stay with the allocator anyway, once per thread that hashed: a gigabyte after some wrong passwords.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use stoa_net::background::{BackgroundThreads, ComputationPayer};

/// Salt and output length used for an unknown name, so that its check takes as long as that of an account.
const NOBODYS: (&[u8], usize) = (b"nobody's salt", Params::DEFAULT_OUTPUT_LEN);

/// Hashes passwords for one payer.
#[derive(Clone, Debug)]
pub(crate) struct PasswordHasher {
    threads: BackgroundThreads,
    idle: Arc<HashBufferPool>,
    payer: ComputationPayer,
}

/// Memory not in use by a hash.
#[derive(Debug, Default)]
struct HashBufferPool(Mutex<Vec<Vec<Block>>>);

impl HashBufferPool {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PasswordHasher {
    /// A hasher on these threads.
    pub(crate) fn new(threads: BackgroundThreads) -> PasswordHasher {
        PasswordHasher { threads, idle: Arc::default(), payer: ComputationPayer::of(None, "") }
    }

    /// A hasher for computations of this payer, each of which waits only for the payer's earlier ones and for one of
    /// every other payer.
    pub(crate) fn of(&self, payer: ComputationPayer) -> PasswordHasher {
        PasswordHasher { payer, ..self.clone() }
    }

    /// Whether `password` matches `hash`; false if `hash` is `None`.
    pub(crate) async fn is_right(&self, password: String, hash: Option<String>) -> bool {
        self.apart(move |memory| compare(&password, hash.as_deref(), memory)).await
    }

    /// Hashes a new password into a PHC string.
    pub(super) async fn hash(&self, password: String) -> Result<String, String> {
        self.apart(move |memory| hash(&password, memory).map_err(|error| error.to_string())).await
    }

    /// Runs `work` on a background thread, since it takes tens of milliseconds.
    async fn apart<T: Send + 'static>(&self, work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static) -> T {
        let idle = Arc::clone(&self.idle);
        let work = move || {
            let mut memory = idle.lock().pop().unwrap_or_default();
            let done = work(&mut memory);
            idle.lock().push(memory);
            done
        };
        self.threads.run(self.payer.clone(), work).await
    }

    /// A hasher with threads of its own.
    #[cfg(test)]
    pub(crate) fn for_tests() -> PasswordHasher {
        PasswordHasher::new(BackgroundThreads::start(crate::limits::BACKGROUND_THREADS).unwrap())
    }

    /// Number of idle memory blocks: the highest number of concurrent hashes so far.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        self.idle.lock().len()
    }
}

fn hash(password: &str, memory: &mut Vec<Block>) -> Result<String, argon2::password_hash::Error> {
    let (algorithm, version, params) = (Algorithm::Argon2id, Version::V0x13, Params::default());
    let salt = Salt::new(&rand::random::<[u8; Salt::RECOMMENDED_LENGTH]>())?;
    let (mut output, described) = ([0; Params::DEFAULT_OUTPUT_LEN], ParamsString::try_from(&params)?);
    memory.resize(params.block_count(), Block::new());
    let argon2 = Argon2::new(algorithm, version, params);
    argon2.hash_password_into_with_memory(password.as_bytes(), &salt, &mut output, &mut memory[..])?;
    let hash = Some(Output::new(&output)?);
    let made = PasswordHash {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params: described,
        salt: Some(salt),
        hash,
    };
    Ok(made.to_string())
}

fn compare(password: &str, hash: Option<&str>, memory: &mut Vec<Block>) -> bool {
    let known = hash.and_then(|hash| PasswordHash::new(hash).ok());
    let params = known.as_ref().and_then(|known| Params::try_from(known).ok()).unwrap_or_default();
    let salt = known.as_ref().and_then(|known| known.salt.as_deref()).unwrap_or(NOBODYS.0);
    let expected = known.as_ref().and_then(|known| known.hash.as_ref());
    let mut output = vec![0; expected.map_or(NOBODYS.1, Output::len)];
    memory.resize(params.block_count(), Block::new());
    // All stored hashes use this algorithm and version.
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let done = argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut output, &mut memory[..]);
    // `Output` compares in constant time.
    done.is_ok() && expected.is_some_and(|expected| Output::new(&output).is_ok_and(|output| output == *expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    #[tokio::test]
    async fn hashing_memory_is_reused_and_bounded_by_the_background_threads() {
        let hashing = PasswordHasher::for_tests();
        let hash = hashing.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, hashing.hash("correct horse".into()).await.unwrap(), "each has a salt of its own");
        let ask = |password: &str, hash: Option<&String>| hashing.is_right(password.into(), hash.cloned());
        assert!(ask("correct horse", Some(&hash)).await);
        assert!(!ask("wrong horse", Some(&hash)).await);
        assert!(!ask("correct horse", None).await);
        assert!(!ask("correct horse", Some(&"$nonsense".to_owned())).await);
        assert_eq!(hashing.kept(), 1, "one after the other they used the same");
        tokio::join!(ask("a", None), ask("b", None), ask("c", None), ask("d", None), ask("e", None));
        assert!(hashing.kept() <= limits::BACKGROUND_THREADS, "{}", hashing.kept());
    }
}

//! Where passwords are compared: a few at a time, each in memory that is kept for the next. Freed each time, it would stay with the allocator anyway,
//! once for every thread that hashed: a gigabyte after some wrong passwords.

use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use crate::limits;

/// Takes this long also for a name that nobody has.
const NOBODYS: (&[u8], usize) = (b"nobody's salt", Params::DEFAULT_OUTPUT_LEN);

/// Places for passwords that are being compared.
#[derive(Debug)]
pub struct Hashing {
    places: Semaphore,
    idle: Mutex<Vec<Vec<Block>>>,
}

impl Default for Hashing {
    fn default() -> Hashing {
        Hashing { places: Semaphore::new(limits::HASHES_MAX), idle: Mutex::default() }
    }
}

impl Hashing {
    /// Whether `password` is the one of `hash`; without a hash it never is.
    pub async fn is_right(&self, password: String, hash: Option<String>) -> bool {
        let _place = self.places.acquire().await.expect("nobody closes it");
        let mut memory = self.idle().pop().unwrap_or_default();
        let compared = tokio::task::spawn_blocking(move || (compare(&password, hash.as_deref(), &mut memory), memory));
        let Ok((right, memory)) = compared.await else { return false };
        self.idle().push(memory);
        right
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn compare(password: &str, hash: Option<&str>, memory: &mut Vec<Block>) -> bool {
    let known = hash.and_then(|hash| PasswordHash::new(hash).ok());
    let params = known.as_ref().and_then(|known| Params::try_from(known).ok()).unwrap_or_default();
    let salt = known.as_ref().and_then(|known| known.salt.as_deref()).unwrap_or(NOBODYS.0);
    let expected = known.as_ref().and_then(|known| known.hash.as_ref());
    let mut output = vec![0; expected.map_or(NOBODYS.1, Output::len)];
    memory.resize(params.block_count(), Block::new());
    // All hashes of ours are made by `Argon2::default`: this algorithm, this version.
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let done = argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut output, &mut memory[..]);
    // Compares in constant time.
    done.is_ok() && expected.is_some_and(|expected| Output::new(&output).is_ok_and(|output| output == *expected))
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHasher;

    use super::*;

    #[tokio::test]
    async fn memory_is_used_again_and_never_more_of_it_than_there_are_places() {
        let hashing = Hashing::default();
        let hash = Argon2::default().hash_password(b"correct horse").unwrap().to_string();
        let ask = |password: &str, hash: Option<&String>| hashing.is_right(password.into(), hash.cloned());
        assert!(ask("correct horse", Some(&hash)).await);
        assert!(!ask("wrong horse", Some(&hash)).await);
        assert!(!ask("correct horse", None).await);
        assert!(!ask("correct horse", Some(&"$nonsense".to_owned())).await);
        assert_eq!(hashing.idle().len(), 1, "one after the other they had one place");
        tokio::join!(ask("a", None), ask("b", None), ask("c", None), ask("d", None), ask("e", None));
        assert!(hashing.idle().len() <= limits::HASHES_MAX, "{}", hashing.idle().len());
    }
}

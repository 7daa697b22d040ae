//! The doors, asked as clients ask them: the real router over a real realm and a store in a folder of its own.

mod accounts;
mod admin;
mod arena;
mod doors;
mod files;
mod fixture;
mod full_disk;
mod loopback;
mod motion_tickets;
mod scenes;
mod standing;

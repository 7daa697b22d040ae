//! Tests of the HTTP interface: the real router over a real realm, with a store in a temporary folder.

mod accounts;
mod admin;
mod arena;
mod described;
mod every_route;
mod files;
mod fixture;
mod full_disk;
mod history;
mod invitations;
mod loopback;
mod moderation;
mod motion_tickets;
mod open_requests;
mod openapi;
mod outdated_tokens;
mod own_account;
mod pace;
mod pictures;
mod scenes;
mod snapshots;
mod transfer;
mod trust;

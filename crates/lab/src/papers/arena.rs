//! Repeats the experiments of "ARENA: The Augmented Reality Edge Networking Architecture" (Pereira et al., ISMAR 2021;
//! paper 000), section 5, on the real server. [`rights`] measures the cost of access rights (the paper's figure 7).
//! [`pages`] measures a delay that the paper does not report.

pub(crate) mod agent;
pub(crate) mod click;
pub(crate) mod clicker;
pub(crate) mod delay_proxy;
pub(crate) mod load;
pub(crate) mod pages;
pub(crate) mod rates;
pub(crate) mod rights;
pub(crate) mod traffic;
pub(crate) mod triangles;

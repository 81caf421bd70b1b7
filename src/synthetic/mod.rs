//! Synthetic catalogues.

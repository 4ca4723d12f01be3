// What the page takes from the libraries: age, and the digest that commitments are made of.
export { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
export { sha256 } from "@noble/hashes/sha2.js";

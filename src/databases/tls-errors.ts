const UNKNOWN =
  'has a certificate of an authority that is not known here: name its file in NODE_EXTRA_CA_CERTS'

/** Codes of TLS that somebody can do something about, whichever engine it is. */
export const TLS_REASONS: { readonly [code: string]: string } = {
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  CERT_HAS_EXPIRED: 'has a certificate that has expired: renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate that is for another name: write the name that it is for into the URL of the store',
}

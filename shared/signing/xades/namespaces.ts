/** Namespaces of signatures. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#';
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
export const XPATH_FILTER = 'http://www.w3.org/2002/06/xmldsig-filter2';
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** The type of the reference over a signature's own signed properties. */
export const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';
export const COUNTERSIGNED = 'http://uri.etsi.org/01903#CountersignedSignature';

/** Namespaces of signatures. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#';
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
/** Versions before EN 319 132-1: their properties are reported and not read. */
export const XADES_111 = 'http://uri.etsi.org/01903/v1.1.1#';
export const XADES_122 = 'http://uri.etsi.org/01903/v1.2.2#';
export const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#';
/** RFC 9231: the later algorithms and the parameters of RSA-PSS. */
export const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#';
export const XPATH_FILTER = 'http://www.w3.org/2002/06/xmldsig-filter2';
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** The type of the reference over a signature's own signed properties. */
export const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

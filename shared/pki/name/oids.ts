/** Attribute types of names (X.520, RFC 4519). */
export const NAME_OID = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  stateName: '2.5.4.8',
  street: '2.5.4.9',
  organization: '2.5.4.10',
  organizationUnit: '2.5.4.11',
  title: '2.5.4.12',
  description: '2.5.4.13',
  businessCategory: '2.5.4.15',
  postalCode: '2.5.4.17',
  givenName: '2.5.4.42',
  initials: '2.5.4.43',
  generationQualifier: '2.5.4.44',
  dnQualifier: '2.5.4.46',
  pseudonym: '2.5.4.65',
  organizationIdentifier: '2.5.4.97',
  userId: '0.9.2342.19200300.100.1.1',
  domainComponent: '0.9.2342.19200300.100.1.25',
  emailAddress: '1.2.840.113549.1.9.1',
} as const;

export type NameAttributeType = keyof typeof NAME_OID;

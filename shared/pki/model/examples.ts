const NO_NAME = {
  country: 'BR',
  organization: 'ICP-Brasil',
  organizationUnit: null,
  dnQualifier: null,
  stateName: null,
  commonName: null,
  serialNumber: null,
  locality: null,
  title: null,
  surname: null,
  givenName: null,
  initials: null,
  pseudonym: null,
  generationQualifier: null,
  emailAddress: null,
};

export const NAME_EXAMPLE = {
  ...NO_NAME,
  commonName: 'SANDBOX HOLDER 52998224725',
  allValues: { C: ['BR'], O: ['ICP-Brasil'], CN: ['SANDBOX HOLDER 52998224725'] },
  dnString: 'CN=SANDBOX HOLDER 52998224725, O=ICP-Brasil, C=BR',
};

export const ICP_BRASIL_EXAMPLE = {
  certificateType: 'A1',
  cpf: '52998224725',
  cnpj: null,
  responsavel: null,
  dateOfBirth: '1980-01-01',
  companyName: null,
  oabUF: null,
  oabNumero: null,
  rgEmissor: null,
  rgEmissorUF: null,
  rgNumero: null,
};

/** A certificate of the sandbox, for the contract documents. */
export const CERTIFICATE_EXAMPLE = {
  subjectName: NAME_EXAMPLE,
  issuerName: {
    ...NO_NAME,
    commonName: 'Sandbox Issuing CA',
    allValues: { C: ['BR'], O: ['ICP-Brasil'], CN: ['Sandbox Issuing CA'] },
    dnString: 'CN=Sandbox Issuing CA, O=ICP-Brasil, C=BR',
  },
  issuerDisplayName: 'Sandbox Issuing CA',
  serialNumber: '1328192513',
  validityStart: '2026-01-01T00:00:00.000Z',
  validityEnd: '2029-01-01T00:00:00.000Z',
  issuer: null,
  pkiBrazil: ICP_BRASIL_EXAMPLE,
  pkiItaly: { codiceFiscale: null, certificateType: null, idCarta: null },
  binaryThumbprintSHA256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
  thumbprint: 'A94A8FE5CCB19BA61C4C0873D391E987982FBBD3',
  thumbprintSHA256: '9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08',
  subjectCommonName: 'SANDBOX HOLDER 52998224725',
  subjectDisplayName: 'SANDBOX HOLDER 52998224725',
  subjectIdentifier: '52998224725',
  emailAddress: 'ana@sandbox.example',
  organization: null,
  organizationIdentifier: null,
};

export const CHECK_EXAMPLE = {
  type: 'Success',
  message: 'The certificate is in its validity period.',
  detail: null,
  innerValidationResults: null,
} as const;

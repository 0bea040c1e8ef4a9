// The parts of jsrsasign 11 that issue. The types of DefinitelyTyped are of an interface that it no longer has, and
// know neither OCSP responses nor timestamp tokens.

declare module 'jsrsasign' {
  /** A structure that is encoded on demand. */
  type Asn1 = { tohex(): string };
  type Asn1Class<Params> = new (params: Params) => Asn1;

  type Hex = { readonly hex: string };
  type Integer = Hex | { readonly int: string | number };
  /** The value of one element: `{ utf8str: { str: 'MARIA' } }`. */
  type Asn1Value = Readonly<Record<string, Hex | { readonly str: string }>>;

  type NameAttribute = { readonly type: string; readonly value: string; readonly ds: string };
  type X500Name = Hex | { readonly array: readonly (readonly NameAttribute[])[] };
  type GeneralName =
    | { readonly rfc822: string }
    | { readonly dns: string }
    | { readonly uri: string }
    /** The bytes as hex. */
    | { readonly ip: string }
    | { readonly dn: X500Name }
    | { readonly other: { readonly oid: string; readonly value: Asn1Value } };

  /** Either one that jsrsasign knows by name, with members of its own, or any identifier with its value as hex. */
  type Extension = {
    readonly extname: string;
    readonly critical?: boolean;
    readonly extn?: string;
    readonly [member: string]: unknown;
  };

  type Signed = { readonly sigalg: string; readonly sighex: string };

  type TbsCertificate = {
    readonly serial: Integer;
    readonly sigalg: string;
    readonly issuer: X500Name;
    readonly notbefore: string;
    readonly notafter: string;
    readonly subject: X500Name;
    /** In PEM. */
    readonly sbjpubkey: string;
    readonly ext?: readonly Extension[];
  };

  type TbsCertList = {
    readonly version: 2;
    readonly sigalg: string;
    readonly issuer: X500Name;
    readonly thisupdate: string;
    readonly nextupdate?: string;
    readonly revcert?: readonly {
      readonly sn: Integer;
      readonly date: string;
      readonly ext?: readonly Extension[];
    }[];
    readonly ext?: readonly Extension[];
  };

  type CertId = {
    readonly alg: string;
    readonly issname: string;
    readonly isskey: string;
    readonly sbjsn: string;
  };
  type CertStatus =
    | { readonly status: 'good' | 'unknown' }
    | { readonly status: 'revoked'; readonly time: string; readonly reason?: number };
  type ResponseData = {
    /** By the key's identifier as hex, or by the subject of a certificate in PEM. */
    readonly respid: { readonly key: string } | { readonly name: string };
    readonly prodat: string;
    readonly array: readonly {
      readonly certid: CertId;
      readonly status: CertStatus;
      readonly thisupdate: string;
      readonly nextupdate?: string;
    }[];
    readonly ext?: readonly Extension[];
  };

  type TstInfo = {
    readonly policy: string;
    readonly messageImprint: { readonly alg: string; readonly hash: string };
    readonly serial: Integer;
    readonly genTime: string;
    readonly accuracy: { readonly seconds: number };
    readonly nonce?: Integer;
  };
  type Attributes = {
    readonly array: readonly { readonly attr: string; readonly [member: string]: unknown }[];
  };
  type TimeStampToken = {
    readonly version: 3;
    readonly hashalgs: readonly string[];
    readonly econtent: { readonly type: 'tstinfo'; readonly content: TstInfo };
    readonly sinfos: readonly (Signed & {
      readonly version: 1;
      readonly id: { readonly type: 'isssn'; readonly issuer: X500Name; readonly serial: Integer };
      readonly hashalg: string;
      readonly sattrs: Attributes;
    })[];
    /** In PEM. */
    readonly certs?: readonly string[];
    /** Nothing is left to jsrsasign to fill in. */
    readonly fixed: true;
  };

  export const ASN1HEX: {
    /** The content of the element at this position. */
    getV(hex: string, at: number): string;
    /** The content of a descendant, without the count of unused bits where it is a BIT STRING and the last is true. */
    getVbyList(hex: string, at: number, path: readonly number[], tag: string, isBits: boolean): string;
  };

  export const KJUR: {
    readonly asn1: {
      readonly x509: {
        readonly OID: { registerOIDs(oidsByName: Readonly<Record<string, string>>): void };
        readonly X500Name: Asn1Class<X500Name>;
        readonly TBSCertificate: Asn1Class<TbsCertificate>;
        readonly Certificate: Asn1Class<Signed & { readonly tbsobj: Asn1 }>;
        readonly TBSCertList: Asn1Class<TbsCertList>;
        readonly CRL: Asn1Class<Signed & { readonly tbsobj: Asn1 }>;
      };
      readonly ocsp: {
        readonly ResponseData: Asn1Class<ResponseData>;
        readonly OCSPResponse: Asn1Class<
          | { readonly resstatus: string }
          | (Signed & {
              readonly resstatus: 'successful';
              readonly restype: 'ocspBasic';
              readonly tbsresp: Asn1;
              /** As hex. */
              readonly certs?: readonly string[];
            })
        >;
      };
      readonly cms: { readonly AttributeList: Asn1Class<Attributes> };
      readonly tsp: {
        readonly TSTInfo: Asn1Class<TstInfo>;
        readonly TimeStampToken: new (params: TimeStampToken) => Asn1 & { getContentInfo(): Asn1 };
        readonly TimeStampResp: Asn1Class<
          | { readonly tst: Asn1 }
          | {
              readonly statusinfo: {
                readonly status: 'rejection';
                readonly statusstr: readonly string[];
                readonly failinfo: string;
              };
            }
        >;
      };
    };
  };
}

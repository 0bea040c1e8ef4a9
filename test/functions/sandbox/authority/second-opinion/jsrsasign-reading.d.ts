// The parts of jsrsasign 11 that read. The types of DefinitelyTyped are of an interface that it no longer has, and know
// neither OCSP responses nor timestamp tokens.

declare module 'jsrsasign' {
  type Hex = { readonly hex: string };
  type NameRead = {
    readonly array: readonly (readonly { readonly type: string; readonly value: string }[])[];
  };

  type GeneralNameRead = {
    readonly rfc822?: string;
    readonly uri?: string;
    readonly other?: { readonly oid: string; readonly value: { readonly octstr: Hex } };
  };

  /** One member for each field of the extensions that the sandbox issues. */
  type ExtensionRead = {
    readonly extname: string;
    readonly critical?: boolean;
    readonly cA?: boolean;
    readonly pathLen?: number;
    readonly names?: readonly string[];
    readonly kid?: Hex;
    readonly num?: Hex;
    readonly code?: number;
    readonly hex?: string;
    readonly array?: readonly unknown[];
  };

  type CertificateRead = {
    readonly serial: Hex;
    readonly sigalg: string;
    readonly issuer: NameRead;
    readonly subject: NameRead;
    readonly notbefore: string;
    readonly notafter: string;
    /** In PEM. */
    readonly sbjpubkey: string;
    readonly ext: readonly ExtensionRead[];
  };

  type CrlRead = {
    readonly sigalg: string;
    readonly issuer: NameRead;
    readonly thisupdate: string;
    readonly nextupdate: string;
    readonly revcert?: readonly {
      readonly sn: Hex;
      readonly date: string;
      readonly ext?: readonly ExtensionRead[];
    }[];
    readonly ext: readonly ExtensionRead[];
  };

  type OcspRead = {
    readonly resstatus: number;
    readonly respid: { readonly key: string };
    readonly prodat: string;
    readonly array: readonly {
      readonly certid: {
        readonly alg: string;
        readonly issname: string;
        readonly isskey: string;
        readonly sbjsn: string;
      };
      readonly status: { readonly status: string; readonly time?: string };
      readonly thisupdate: string;
      readonly nextupdate: string;
    }[];
    readonly ext?: readonly ExtensionRead[];
    readonly alg: string;
    /** As hex. */
    readonly certs: readonly string[];
  };

  type TimestampRead = {
    readonly statusinfo: { readonly status: string };
    readonly econtent: {
      readonly content: {
        readonly policy: string;
        readonly messageImprint: { readonly alg: string; readonly hash: string };
        readonly serial: Hex;
        readonly genTime: { readonly str: string };
        readonly accuracy: { readonly seconds: number };
        readonly nonce?: Hex;
      };
    };
    /** In PEM. */
    readonly certs?: { readonly array: readonly string[] };
    readonly sinfos: readonly {
      readonly id: { readonly issuer: NameRead; readonly serial: Hex };
      readonly sattrs: {
        readonly array: readonly {
          readonly attr: string;
          readonly hex?: string;
          readonly array?: readonly { readonly hash: string }[];
        }[];
      };
      readonly sigalg: string;
    }[];
  };

  export class X509 {
    readCertHex(hex: string): void;
    getParam(): CertificateRead;
  }
  export class X509CRL {
    constructor(hex: string);
    getParam(): CrlRead;
  }
  export const KJUR: {
    readonly asn1: {
      readonly x509: { readonly OID: { name2oid(name: string): string } };
      readonly ocsp: { readonly OCSPParser: new () => { getOCSPResponse(hex: string): OcspRead } };
      readonly tsp: { readonly TSPParser: new () => { getResponse(hex: string): TimestampRead } };
    };
  };
}

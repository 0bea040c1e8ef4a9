import type { Certificate } from '../../certificate/certificate.ts';
import type { Finding } from '../../findings/validation-results.ts';
import type { PathSettings } from '../settings.ts';

/** One certificate of a path, with its issuer. */
export type Step = {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** The end of the path; all other certificates are authorities. */
  readonly isTarget: boolean;
  /** Subject and issuer are the same name, as in a key rollover. Such a certificate is not counted (RFC 5280, 6.1). */
  readonly isSelfIssued: boolean;
};

export type PathContext = {
  readonly settings: PathSettings;
  readonly anchor: Certificate;
  /** Certificates below the anchor. */
  readonly length: number;
};

/** Checks the certificates of one path in order, from the anchor down, and keeps state between them. */
export type Check = (step: Step) => readonly Finding[];

/** One rule of RFC 5280, section 6. Each path gets a new check. */
export type Rule = (path: PathContext) => Check;

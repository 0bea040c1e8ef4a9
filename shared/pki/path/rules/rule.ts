import type { Certificate } from '../../certificate/certificate.ts';
import type { Finding } from '../../findings/validation-results.ts';
import type { PathSettings } from '../settings.ts';

/** One certificate of a path, with the one above it. */
export type Step = {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** The certificate that the path is for; all others are authorities. */
  readonly isTarget: boolean;
  /** Issued by itself under another key, as authorities do when their key changes. Such a step is not counted. */
  readonly isSelfIssued: boolean;
};

export type PathContext = {
  readonly settings: PathSettings;
  readonly anchor: Certificate;
  /** Certificates below the anchor. */
  readonly length: number;
};

/** Looks at the certificates of one path in order, from the anchor down; what it learns holds for those below. */
export type Check = (step: Step) => readonly Finding[];

/** One rule of RFC 5280, section 6. It begins anew with every path. */
export type Rule = (path: PathContext) => Check;

import * as z from 'zod';
import { INSERTIONS } from '../../../shared/signing/xades/insertions.ts';
import { DigestAlgorithmAndValueModel, SignatureParametersModel } from '../authentication/contract.ts';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';
import {
  CERTIFICATE,
  CONTEXT_ID,
  DIGEST,
  JUDGED_CERTIFICATE,
  PARAMETERS,
  SIGNATURE,
  TOKEN,
} from '../examples.ts';
import { DigestRequest, FileReference } from '../files/contract.ts';
import { PdfSignatureOptions } from '../pdf/contract/visual.ts';

export const SignatureElementLocation = z
  .object({
    xPath: z.string().min(1).max(1_000).describe('A path of names, as in `/a/n:b[2]` or `//n:b`.'),
    namespaces: z
      .array(z.object({ prefix: z.string().max(100), uri: z.string().max(1_000) }))
      .max(50)
      .nullish(),
    insertionOption: z
      .enum(INSERTIONS)
      .nullish()
      .describe(
        'In the element, last or first, or beside it, behind or before. Left out: `AppendChild`, the last in it.',
      ),
  })
  .meta({
    description: 'The place of the signature in the document.',
    examples: [
      { xPath: '/n:lote', namespaces: [{ prefix: 'n', uri: 'urn:x' }], insertionOption: 'AppendChild' },
    ],
  });

const CmsSignatureOptions = z.object({
  detached: z.boolean().nullish().describe('The signature is apart from the content.'),
  dataFile: FileReference.nullish().describe(
    'The content of a detached signature that this one is added to.',
  ),
  dataHashes: z
    .array(DigestRequest)
    .max(10)
    .nullish()
    .describe('The digests of the content, in place of it. SHA256 must be among them.'),
});

const XmlSignatureOptions = z.object({
  type: z.enum(['FullXml', 'XmlElement']).nullish(),
  elementToSignId: z.string().max(500).nullish(),
  signatureElementLocation: SignatureElementLocation.nullish(),
});

export const PrepareSignatureRequest = z
  .object({
    file: FileReference.nullish().describe(
      'Left out only where `dataHashes` says what is signed. A CMS signature is signed by one more signer.',
    ),
    certificate: z.object({
      id: z.string().max(200).nullish().describe('Not supported: send `content`.'),
      content: z.string().max(100_000).nullish().describe('DER as base64.'),
    }),
    documentKey: z.string().max(64).nullish().describe('A key that was given out for the document.'),
    securityContextId: z
      .union([z.literal(''), z.guid()])
      .nullish()
      .describe('By whose roots the certificate is judged. Left out: ICP-Brasil.'),
    signatureType: z.enum(['Pdf', 'Cms', 'Xml']).nullish().describe('Left out: by what the file is.'),
    pdfSignatureOptions: PdfSignatureOptions.nullish(),
    cmsSignatureOptions: CmsSignatureOptions.nullish(),
    xmlSignatureOptions: XmlSignatureOptions.nullish(),
  })
  .meta({
    description: 'The file to sign, and the certificate that is to sign it.',
    examples: [
      {
        file: { name: 'contract.pdf', mimeType: 'application/pdf', content: 'JVBERi0xLjcK' },
        certificate: { content: CERTIFICATE },
        securityContextId: CONTEXT_ID,
      },
    ],
  });

export const PrepareSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: z
      .enum(['PdfAlreadySigned', 'CorruptedPdf', 'CertificateValidationFailed'])
      .nullable()
      .describe('Why nothing can be signed.'),
    state: z.string().nullable().describe('Completes this signature, once, within ten minutes.'),
    toSign: SignatureParametersModel.nullable(),
    toSignHash: DigestAlgorithmAndValueModel.nullable(),
    certificate: CertificateModel.nullable(),
    validationResults: ValidationResultsModel.nullable(),
  })
  .meta({
    description: 'What the private key must sign, or why nothing can be signed.',
    examples: [
      {
        success: true,
        failure: null,
        state: TOKEN,
        toSign: PARAMETERS,
        toSignHash: DIGEST,
        ...JUDGED_CERTIFICATE,
      },
    ],
  });

/** The second step of every signature whose key is elsewhere. */
export const CompleteSignatureRequest = z
  .object({
    state: z.string().min(1).max(200),
    signature: z
      .base64()
      .min(1)
      .max(4_096)
      .describe('RSA PKCS#1 v1.5 with SHA-256, or ECDSA in DER with SHA-256, base64.'),
  })
  .meta({
    description: 'The state of the start, and the signature value.',
    examples: [{ state: TOKEN, signature: SIGNATURE }],
  });

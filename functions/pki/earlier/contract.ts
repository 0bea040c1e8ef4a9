import * as z from 'zod';
import { CERTIFICATE_EXAMPLE } from '../../../shared/pki/model/examples.ts';
import { CertificateModel } from '../contract.ts';
import { CERTIFICATE, CONTEXT_ID, HASH, POLICIES, SIGNATURE, TO_SIGN, TOKEN } from '../examples.ts';
import { DigestRequest, EarlierFileModel, FileModel } from '../files/contract.ts';
import { PdfMarks } from '../pdf/contract/marks.ts';
import { PdfSignatureOptions } from '../pdf/contract/visual.ts';
import { SignatureElementLocation } from '../signatures/contract.ts';

const orEmpty = <S extends z.ZodType>(shape: S) => z.union([z.literal(''), shape]);

/** The fields of every start. */
export const StartFields = z
  .object({
    certificate: z.string().max(100_000).nullish().describe('DER as base64. Required.'),
    signaturePolicyId: orEmpty(z.guid()).nullish().describe('By which rules to sign. Required.'),
    securityContextId: orEmpty(z.guid())
      .nullish()
      .describe('By whose roots the certificate is judged. Left out: ICP-Brasil.'),
    callbackArgument: z.string().max(2_000).nullish().describe('Answered with the signed file.'),
    ignoreRevocationStatusUnknown: z.boolean().nullish(),
  })
  .meta({
    description: 'Who signs, and by which rules.',
    examples: [
      { certificate: CERTIFICATE, signaturePolicyId: POLICIES.pades, securityContextId: CONTEXT_ID },
    ],
  });

const COMMON = StartFields.shape;
const EXAMPLE = { certificate: CERTIFICATE, securityContextId: CONTEXT_ID };
const required64 = z.base64().min(1);

const PADES = {
  ...COMMON,
  customSignatureFieldName: z.string().max(200).nullish(),
  certificationLevel: z
    .enum([
      'NotCertified',
      'CertifiedFormFilling',
      'CertifiedFormFillingAndAnnotations',
      'CertifiedNoChangesAllowed',
    ])
    .nullish(),
  reason: z.string().max(500).nullish(),
  ...PdfSignatureOptions.shape,
  pdfMarks: PdfMarks.nullish().describe('Drawn before the PDF is signed.'),
  bypassMarksIfSigned: z.boolean().nullish().describe('A signed PDF is not marked. Otherwise it is refused.'),
};

export const PadesSignaturePostRequest = z
  .object({ ...PADES, pdfToSign: required64.describe('The PDF, base64.') })
  .meta({
    description: 'A PDF to sign.',
    examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.pades, pdfToSign: 'JVBERi0xLjcK' }],
  });

export const PadesSignaturePostRequestV2 = z.object({ ...PADES, pdfToSign: FileModel }).meta({
  description: 'A PDF to sign.',
  examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.pades, pdfToSign: { content: 'JVBERi0xLjcK' } }],
});

const encapsulateContent = z
  .boolean()
  .nullish()
  .describe('Whether the signature holds the content. Left out: yes.');
const dataHashes = z.array(DigestRequest).max(10).nullish().describe('In place of the content. With SHA256.');

const CADES = {
  ...COMMON,
  contentToSign: z.base64().nullish(),
  cmsToCoSign: z.base64().nullish(),
  encapsulateContent,
};

export const CadesSignaturePostRequest = z.object(CADES).meta({
  description: 'Content to sign, or a CMS to add a signature to.',
  examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.cades, contentToSign: TO_SIGN }],
});

export const CadesSignaturePostRequestV2 = z.object({ ...CADES, dataHashes }).meta({
  description: 'Content to sign, its digests, or a CMS to add a signature to.',
  examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.cades, contentToSign: TO_SIGN }],
});

export const CadesSignaturePostRequestV3 = z
  .object({
    ...COMMON,
    dataHashes,
    fileToSign: FileModel.nullish(),
    cmsToCoSign: FileModel.nullish(),
    encapsulateContent,
  })
  .meta({
    description: 'A file to sign, its digests, or a CMS to add a signature to.',
    examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.cades, fileToSign: { content: TO_SIGN } }],
  });

const AttributeName = z.object({
  localName: z.string().min(1).max(200),
  namespace: z.string().max(1_000).nullish(),
});

const IdResolutionTable = z.object({
  includeXmlIdAttribute: z.boolean().nullish(),
  elementIdAttributes: z
    .array(z.object({ element: AttributeName, attribute: AttributeName }))
    .max(50)
    .nullish(),
  globalIdAttributes: z.array(AttributeName).max(50).nullish(),
});

const XML = {
  ...COMMON,
  xml: required64.describe('The document, base64.'),
  signatureElementLocation: SignatureElementLocation.nullish(),
  idResolutionTable: IdResolutionTable.nullish().describe('Which attributes are identifiers.'),
};

export const FullXmlSignaturePostRequest = z.object(XML).meta({
  description: 'XML to sign as a whole.',
  examples: [{ ...EXAMPLE, signaturePolicyId: POLICIES.xades, xml: 'PGEvPg==' }],
});

export const XmlElementSignaturePostRequest = z
  .object({ ...XML, elementToSignId: z.string().min(1).max(500) })
  .meta({
    description: 'XML of which one element is signed.',
    examples: [
      { ...EXAMPLE, signaturePolicyId: POLICIES.xades, xml: 'PGEgSWQ9ImIiLz4=', elementToSignId: 'b' },
    ],
  });

export const SignatureStartModel = z
  .object({
    token: z.string().describe('Names this signature in the operations that follow, for ten minutes.'),
    certificate: CertificateModel,
    toSignData: z.base64().describe('The bytes to sign.'),
    toSignHash: z.base64().describe('Their hash, for keys that sign one.'),
    digestAlgorithmOid: z.string(),
  })
  .meta({
    description: 'A token, and the bytes to sign.',
    examples: [
      {
        token: TOKEN,
        certificate: CERTIFICATE_EXAMPLE,
        toSignData: TO_SIGN,
        toSignHash: HASH,
        digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
      },
    ],
  });

export const SigningTokenParams = z.object({
  token: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'As the start answered it.', examples: [TOKEN] }),
});

const value = z.base64().max(4_096);

export const SignedBytesRequest = z
  .object({ signature: value.min(1) })
  .meta({ description: 'The signature of the bytes to sign.', examples: [{ signature: SIGNATURE }] });

export const SignedBytesRequestV2 = z
  .object({
    signature: value
      .nullish()
      .describe('Left out where it was submitted before: the file is answered again.'),
    forceBlobResult: z.boolean().nullish().describe('The file is answered as an upload and a link.'),
  })
  .meta({ description: 'The signature of the bytes to sign.', examples: [{ signature: SIGNATURE }] });

const WITH = { callbackArgument: z.string().nullable(), certificate: CertificateModel };
const WITH_EXAMPLE = { callbackArgument: null, certificate: CERTIFICATE_EXAMPLE };

export const SignedPdfModel = z
  .object({ signedPdf: z.base64(), ...WITH })
  .meta({ description: 'The signed PDF.', examples: [{ signedPdf: 'JVBERi0xLjcK', ...WITH_EXAMPLE }] });

export const SignedCmsModel = z
  .object({ cms: z.base64(), ...WITH })
  .meta({ description: 'The signature.', examples: [{ cms: 'MIIB', ...WITH_EXAMPLE }] });

export const SignedXmlModel = z
  .object({ signedXml: z.base64(), ...WITH })
  .meta({ description: 'The signed XML.', examples: [{ signedXml: 'PGEvPg==', ...WITH_EXAMPLE }] });

export const SignatureFileModel = z
  .object({
    signatureFile: EarlierFileModel,
    ...WITH,
  })
  .meta({
    description: 'The signed file.',
    examples: [
      {
        signatureFile: { mimeType: 'application/pdf', content: 'JVBERi0xLjcK', blobToken: null, url: null },
        ...WITH_EXAMPLE,
      },
    ],
  });

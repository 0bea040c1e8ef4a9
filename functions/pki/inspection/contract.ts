import * as z from 'zod';
import { DigestAlgorithmAndValueModel } from '../authentication/contract.ts';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';
import { CONTEXT_ID, SIGNER } from '../examples.ts';
import {
  DigestRequest,
  EarlierFileModel,
  FileModel,
  FileReference,
  FileReferenceModel,
} from '../files/contract.ts';

const time = z.iso.datetime().nullable();
const xmlName = { localName: z.string(), namespaceUri: z.string().nullable() };

const CONTENT = {
  hasEncapsulatedContent: z.boolean().nullable().describe('Null for what is no CMS.'),
  encapsulatedContentType: z.enum(['Data', 'SignedData', 'EnvelopedData', 'TstInfo']).nullable(),
};
const NONE = { auditPackage: z.null(), bStamp: z.null() };

const XmlElementModel = z
  .object({ ...xmlName, attributes: z.array(z.object({ ...xmlName, value: z.string() })) })
  .nullable()
  .describe(
    'The element that an XML signature covers. Null where it covers the document, or nothing that can be told.',
  );

export const SignerModel = z
  .object({
    messageDigest: DigestAlgorithmAndValueModel.nullable(),
    signature: z.object({
      algorithmIdentifier: z.object({
        algorithm: z
          .enum(['SHA1WithRSA', 'SHA256WithRSA', 'SHA384WithRSA', 'SHA512WithRSA'])
          .nullable()
          .describe('Null for an EC key.'),
        oid: z.string().nullable().describe('Of the algorithm.'),
        digestAlgorithm: DigestAlgorithmAndValueModel.shape.algorithm.nullable(),
        digestAlgorithmOid: z.string().nullable(),
      }),
      value: z.base64(),
      hexValue: z.string(),
    }),
    signaturePolicy: z
      .object({
        oid: z.string(),
        uri: z.string().nullable(),
        digest: DigestAlgorithmAndValueModel.nullable(),
      })
      .nullable(),
    signingTime: time.describe('The claim of the signer.'),
    certifiedDateReference: time.describe('What a timestamp proves.'),
    timestamps: z.array(
      z.object({
        genTime: time,
        serialNumber: z.string().nullable(),
        messageImprint: DigestAlgorithmAndValueModel.nullable(),
        certificate: CertificateModel.nullable().describe('Of the authority.'),
        signers: z
          .array(z.null())
          .max(0)
          .describe('Clients read a timestamp as a CMS. Its one signer is the authority, by `certificate`.'),
        ...CONTENT,
        encapsulatedContent: z.null(),
        ...NONE,
      }),
    ),
    isDocumentTimestamp: z.boolean(),
    signatureFieldName: z.string().nullable().describe('In a PDF.'),
    validationResults: ValidationResultsModel.nullable().describe('Null where nobody asked for it.'),
    hasLtv: z.boolean().nullable(),
    xmlSignedEntityType: z.enum(['FullXml', 'XmlElement', 'DetachedResource']).nullable(),
    xmlSignedElement: XmlElementModel,
    attributeCertificates: z.array(z.string()),
    certificate: CertificateModel.nullable(),
    date: time.describe('The certified date, or the claim.'),
  })
  .meta({ description: 'A signature of a file, as the file says.', examples: [SIGNER] });

const securityContextId = z
  .union([z.literal(''), z.guid()])
  .nullish()
  .describe('By whose roots certificates are judged. Left out: ICP-Brasil.');

const VALIDATION = {
  validate: z.boolean().nullish().describe('Whether the signatures are validated, ten at most.'),
  securityContextId,
  ignoreRevocationStatusUnknown: z.boolean().nullish(),
  dataHashes: z.array(DigestRequest).max(10).nullish().describe('Of the data of a detached CMS.'),
  extractEncapsulatedContent: z.boolean().nullish().describe('Whether the content of a CMS is answered.'),
};

export const InspectSignatureRequest = z
  .object({ file: FileReference, dataFile: FileReference.nullish(), ...VALIDATION })
  .meta({
    description: 'A signed file, and how to look at it.',
    examples: [{ file: { content: 'JVBERi0xLjcK' }, validate: true, securityContextId: CONTEXT_ID }],
  });

// Policies that ask for no more than their format does. By others nothing is validated here.
const BASIC_POLICIES = [
  '78d20b33-014d-440e-ad07-929f05d00cdf',
  '3fec800c-366c-49bf-82c5-2e72154e70f6',
  'a4522485-c9e5-46c3-950b-0d6e951e17d1',
  '8108539d-c137-4f45-a1f2-de5305bc0a37',
  '1beba282-d1b6-4458-8e46-bd8ad6800b54',
  '',
] as const;

export const OpenSignatureRequest = z
  .object({
    file: FileModel,
    ...VALIDATION,
    defaultSignaturePolicyId: z
      .enum(BASIC_POLICIES)
      .nullish()
      .describe('A basic policy: signatures are validated by the rules of their format.'),
  })
  .meta({
    description: 'A signed file, and how to look at it.',
    examples: [{ file: { content: 'JVBERi0xLjcK' }, validate: true, securityContextId: CONTEXT_ID }],
  });

const DigestName = DigestAlgorithmAndValueModel.shape.algorithm;

export const InspectSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: z.enum(['DataFileRequired']).nullable(),
    missingDataHash: DigestName.nullable().describe('The digest that a detached CMS needs of its data.'),
    signers: z.array(SignerModel),
    document: z.null(),
    ...CONTENT,
    encapsulatedContent: FileReferenceModel.nullable(),
  })
  .meta({
    description: 'The signatures of a file.',
    examples: [
      {
        success: true,
        failure: null,
        missingDataHash: null,
        signers: [SIGNER],
        document: null,
        hasEncapsulatedContent: null,
        encapsulatedContentType: null,
        encapsulatedContent: null,
      },
    ],
  });

const NONE_EXAMPLE = { auditPackage: null, bStamp: null };

export const OpenPadesResponse = z
  .object({ signers: z.array(SignerModel), ...NONE })
  .meta({ description: 'The signatures of a PDF.', examples: [{ signers: [SIGNER], ...NONE_EXAMPLE }] });

export const OpenCadesResponse = z
  .object({
    signers: z.array(SignerModel),
    ...CONTENT,
    encapsulatedContent: EarlierFileModel.nullable(),
    ...NONE,
  })
  .meta({
    description: 'The signatures of a CMS.',
    examples: [
      {
        signers: [SIGNER],
        hasEncapsulatedContent: true,
        encapsulatedContentType: 'Data',
        encapsulatedContent: null,
        ...NONE_EXAMPLE,
      },
    ],
  });

const XML_SIGNATURE = { ...SIGNER, type: 'FullXml', signedElement: null };

export const XmlSignatureModel = SignerModel.extend({
  type: z.enum(['FullXml', 'XmlElement', 'DetachedResource']),
  signedElement: XmlElementModel,
}).meta({ description: 'A signature of XML.', examples: [XML_SIGNATURE] });

export const OpenXmlResponse = z
  .array(XmlSignatureModel)
  .meta({ description: 'The signatures of XML.', examples: [[XML_SIGNATURE]] });

export const OpenXmlResponseV2 = z.object({ signatures: z.array(XmlSignatureModel), ...NONE }).meta({
  description: 'The signatures of XML.',
  examples: [{ signatures: [XML_SIGNATURE], ...NONE_EXAMPLE }],
});

export const RequiredHashesResponse = z
  .array(DigestName)
  .meta({ description: 'The digests of the data that a CMS is checked with.', examples: [['SHA256']] });

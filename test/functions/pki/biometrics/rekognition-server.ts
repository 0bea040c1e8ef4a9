import { buffer } from 'node:stream/consumers';
import { startServer } from '../../../shared/net/a-server.ts';

export type Asked = { readonly operation: string; readonly input: Record<string, unknown> };
type Answer = { readonly status?: number; readonly body: object };

/** A picture, as the service sends one. */
export const FACE = Buffer.from('the picture of a face');

const SESSION = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const BOX = { Width: 0.42, Height: 0.61, Left: 0.29, Top: 0.18 };

/** Answers in the shapes of the service's API reference, by operation. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  CreateFaceLivenessSession: { body: { SessionId: SESSION } },
  GetFaceLivenessSessionResults: {
    body: {
      SessionId: SESSION,
      Status: 'SUCCEEDED',
      Confidence: 98.7,
      ReferenceImage: { Bytes: FACE.toString('base64'), BoundingBox: BOX },
      AuditImages: [],
      Challenge: { Type: 'FaceMovementAndLightChallenge', Version: '2.0.0' },
    },
  },
  SearchFacesByImage: {
    body: {
      SearchedFaceBoundingBox: BOX,
      SearchedFaceConfidence: 99.9,
      FaceMatches: [],
      FaceModelVersion: '7.0',
    },
  },
  IndexFaces: {
    body: {
      FaceRecords: [
        {
          Face: { FaceId: '11e2a1b0-5a0f-4d3e-9a6e-0c3b2d1e4f5a', BoundingBox: BOX, Confidence: 99.9 },
          FaceDetail: { BoundingBox: BOX, Confidence: 99.9 },
        },
      ],
      UnindexedFaces: [],
      FaceModelVersion: '7.0',
    },
  },
  CompareFaces: {
    body: {
      SourceImageFace: { BoundingBox: BOX, Confidence: 99.9 },
      FaceMatches: [{ Similarity: 99.2, Face: { BoundingBox: BOX, Confidence: 99.9 } }],
      UnmatchedFaces: [],
    },
  },
  ListFaces: { body: { Faces: [], FaceModelVersion: '7.0' } },
  DeleteFaces: { body: { DeletedFaces: ['11e2a1b0-5a0f-4d3e-9a6e-0c3b2d1e4f5a'] } },
  CreateCollection: {
    body: {
      StatusCode: 200,
      CollectionArn: 'aws:rekognition:us-east-1:000000000000:collection/sinete-local-pki-acme',
      FaceModelVersion: '7.0',
    },
  },
};

/** An error as the service tells it. */
export const failing = (name: string, message = name): Answer => ({
  status: 400,
  body: { __type: name, Message: message },
});

/** Rekognition's protocol on loopback: JSON 1.1, the operation in a header. */
export async function serveRekognition() {
  const asked: Asked[] = [];
  const served = {
    asked,
    answers: (_: Asked): Answer | undefined => undefined,
  };
  const server = await startServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('RekognitionService.', '');
    const call = { operation, input: JSON.parse((await buffer(request)).toString('utf8') || '{}') };
    asked.push(call);
    const { status = 200, body } =
      served.answers(call) ?? ANSWERS[operation] ?? failing('InvalidParameterException');
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  return Object.assign(served, { url: server.url, stop: server.stop });
}

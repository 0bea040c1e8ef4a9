/** The engine that a run judges the embedded stores by, as test/stores/run.ts names it. */
export function judgeOf(service: 'DYNAMODB' | 'S3' | 'SQS'): { name: string; endpoint: string } {
  const { [`JUDGE_${service}`]: name, [`AWS_ENDPOINT_URL_${service}`]: endpoint } = process.env;
  if (!name || !endpoint) throw new Error('This runs by: npm run test:stores -- --model');
  return { name, endpoint };
}

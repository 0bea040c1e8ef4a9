import { STRICT_DYNAMO } from './strict-dynamo.ts';

// For the tests of the store: transactions that meet are cancelled, as on AWS, and partition keys are throttled.
process.env.AWS_ENDPOINT_URL_DYNAMODB = process.env[STRICT_DYNAMO];

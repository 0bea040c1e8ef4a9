/** The variable with the endpoint of a DynamoDB that behaves like AWS under load. */
export const STRICT_DYNAMO = 'STRICT_DYNAMO';

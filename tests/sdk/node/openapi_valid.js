// Whether a document is valid OpenAPI, by the schema of that.

import { Validator } from "@seriousme/openapi-schema-validator";

const { valid, errors } = await new Validator().validate(process.env.DOCUMENT);
console.log(valid ? "ok valid" : `not ok ${JSON.stringify(errors, null, 1)}`);
if (!valid) process.exitCode = 1;

// Holds profiles against the JSON Schema of their format.
//
//   node schema.mjs <schema.json> <profile> ...
//
// Prints one line of JSON: for each profile, whether the schema takes it.

import Ajv2020 from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';

const [file, ...profiles] = process.argv.slice(2);
const takes = new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync(file, 'utf8')));
console.log(JSON.stringify(profiles.map(profile => takes(JSON.parse(profile)))));

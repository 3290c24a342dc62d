/**
 * Reads the JSON report of a test runner: counts and every failure by name, so that the end of a log is
 * enough.
 */
import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: Failure[] }} Report
 * @typedef {{ title: string, message: string }} Failure `message` contains the first lines of the error.
 */

const read = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {});
/** Removes terminal colors. */
const firstLines = (text = '') => stripVTControlCharacters(text).split('\n').slice(0, 12).join('\n');

/**
 * Reads a Vitest report. A file that could not be loaded counts as one failed test.
 * @returns {Report}
 */
export function vitestReport(file) {
  const report = read(file);
  const failures = (report.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        title: `${name}: ${test.fullName}`,
        message: firstLines(test.failureMessages.join('\n')),
      }));
    return status === 'failed' && tests.length === 0
      ? [{ title: name, message: firstLines(message) }]
      : tests;
  });
  return {
    passed: report.numPassedTests ?? 0,
    failed: failures.length,
    skipped: report.numPendingTests ?? 0,
    failures,
  };
}

/** Returns every spec of a Playwright report at any depth of suites. */
const specsIn = (suites = []) =>
  suites.flatMap((suite) => [...(suite.specs ?? []), ...specsIn(suite.suites)]);

/**
 * Reads a Playwright report.
 * @returns {Report}
 */
export function playwrightReport(file) {
  const { stats = {}, suites } = read(file);
  const failures = specsIn(suites).flatMap(({ file: spec, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        title: `${spec}:${line} ${title}`,
        message: firstLines(results.find(({ error }) => error !== undefined)?.error.message),
      })),
  );
  return {
    passed: stats.expected ?? 0,
    failed: stats.unexpected ?? 0,
    skipped: stats.skipped ?? 0,
    failures,
  };
}

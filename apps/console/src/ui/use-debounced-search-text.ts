/** The text of a search box that is also in the URL. */
import { useEffect, useRef, useState } from 'react';

const debounceMs = 250;

/**
 * Returns the text and its setter. The text changes immediately on screen, so that a field never gets back an older text
 * while the user types or composes, and in the URL after a pause in typing. If the URL changes by Back or by a link, the
 * text follows.
 *
 * @param setUrlText must replace the history entry, so that Back does not remove letters
 */
export const useDebouncedSearchText = (
  urlText: string,
  setUrlText: (text: string) => void,
): [string, (text: string) => void] => {
  const [text, setText] = useState(urlText);
  const lastUrlText = useRef(urlText);
  const latestSetUrlText = useRef(setUrlText);
  useEffect(() => {
    latestSetUrlText.current = setUrlText;
  });
  useEffect(() => {
    if (urlText === lastUrlText.current) return;
    lastUrlText.current = urlText;
    setText(urlText);
  }, [urlText]);
  useEffect(() => {
    if (text === lastUrlText.current) return undefined;
    const timer = setTimeout(() => {
      lastUrlText.current = text;
      latestSetUrlText.current(text);
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
};

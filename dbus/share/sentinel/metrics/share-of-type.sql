-- description: How much of the events of each source, between two times, is of one type, such as one of errors.
-- description: The share is from 0 to 1; sources without any come last.
-- parameter: start x
-- parameter: end x
-- parameter: type s
SELECT
    source,
    sum(count) AS events,
    sum(CASE WHEN type = :type THEN count ELSE 0 END) AS of_type,
    sum(CASE WHEN type = :type THEN count ELSE 0.0 END) / sum(count) AS share
FROM buckets
WHERE start >= :start AND start < :end
GROUP BY source
HAVING events > 0
ORDER BY share DESC, source

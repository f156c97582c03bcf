-- description: Types of the events that start between two times by their mean duration in seconds, the slowest first.
-- description: Types of which there are fewer events with a duration than asked for are left out.
-- parameter: start x
-- parameter: end x
-- parameter: fewest x
SELECT
    type,
    count(duration) AS events,
    avg(duration) AS mean_seconds,
    max(duration) AS longest_seconds
FROM events
WHERE timestamp >= :start AND timestamp < :end
GROUP BY type
HAVING events > 0 AND events >= :fewest
ORDER BY mean_seconds DESC, type
